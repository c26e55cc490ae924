import { z } from 'zod'
import type { Context, DoorOf, Lifetime } from '../../harness/contract/index.js'
import { createExperiences, experienceSchema } from './experiences.js'
import type { Experience } from './experiences.js'
import { notes } from './notes.js'
import type { Params } from './params.js'
import { createSemanticMemory, knowledgeSchema } from './semantic-memory.js'
import type { SemanticMemory } from './semantic-memory.js'
import { byVectors, lexicalLikeness } from './similarity.js'
import type { Likeness } from './similarity.js'
import { createVectors, vectorsSchema } from './vectors.js'

/** What outlives an activity: documents and catalogue (semantic), and what became of earlier goals (episodic). */
export interface Memory {
  /** What a new activity begins with. Knowledge from before the trial is checked first. */
  begin(goal: string, door: DoorOf<'push'>): Promise<{ memory: SemanticMemory; experiences: string[] }>
  /** What was read has changed. */
  read(): void
  learn(experience: Experience): void
  /** By words, or by the vectors of the model that is named, which are kept as long as the memory is. */
  likeness(activity: string): Likeness
}

const contentsSchema = z.object({
  knowledge: knowledgeSchema,
  experiences: z.array(experienceSchema),
  vectors: vectorsSchema.optional(),
})

/** How far the harness carries what the agent keeps. */
export function lifetimeOf({ memory, memoryPath }: Params): Lifetime {
  if (memory === 'persistent') return { kind: 'persistent', path: memoryPath }
  return { kind: memory === 'run' ? 'run' : 'trial' }
}

export const embeddingsOf = ({ embeddings }: Params): string | null => embeddings ?? null

/** How many experiences a prompt shows where memory outlasts the trial and nobody says otherwise. */
const SHOWN = 3

export function createMemory(context: Context<'push', Params>): Memory {
  const { memory, experiences: asked, similarity, embeddings } = context.params
  const lasting = memory === 'run' || memory === 'persistent'
  const found = contentsSchema.safeParse(lasting ? context.recall() : null).data
  const semantic = createSemanticMemory(found?.knowledge)
  const episodic = createExperiences(found?.experiences)
  const vectors = embeddings === undefined ? null : createVectors(embeddings, found?.vectors)
  const count = asked ?? (lasting ? SHOWN : 0)
  let checked = found === undefined

  const keep = (): void => {
    const kept = { knowledge: semantic.knowledge(), experiences: [...episodic.all()] }
    if (lasting) context.keep({ ...kept, ...(vectors !== null && { vectors: vectors.all() }) })
  }

  const likenessFor = (activity: string): Likeness =>
    vectors === null
      ? lexicalLikeness
      : byVectors((texts) => vectors.of(texts, (missing) => context.embed(activity, missing)))

  return {
    likeness: likenessFor,
    async begin(goal, door) {
      if (!checked) {
        checked = true
        const stale = semantic.check(await door.documents(), door.tools())
        context.note(door.uuid, notes.recall(semantic.texts(), stale, episodic.all().length))
        keep()
      }
      return {
        memory: memory === 'none' ? createSemanticMemory() : semantic,
        experiences:
          memory === 'none' ? [] : await episodic.like(goal, { count, similarity, likeness: likenessFor(door.uuid) }),
      }
    },
    read: keep,
    learn(experience) {
      episodic.add(experience)
      keep()
    },
  }
}
