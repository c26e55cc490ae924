import { expect, test } from 'vitest'
import { playAgent } from '../../harness/testing/agent-rig.js'
import { kiln } from '../../harness/testing/kiln.js'
import { finish, observe, reason, situate } from './fixtures/script.js'
import sora from './s-ora.agent.js'
import { createVectors, vectorsSchema } from './vectors.js'

const whole = [...situate, reason('OBSERVE'), ...finish]
type Play = Awaited<ReturnType<typeof playAgent>>
const linesOf = ({ prompts }: Play, index: number) => {
  const text = prompts[index]?.messages[1]?.content ?? ''
  const [, section = ''] = text.split('## CATALOGUE\n')
  return section.split('\n## ')[0]?.trim().split('\n')
}
const entry = (id: string, summary: string, tool: string, state: string) =>
  JSON.stringify({ document: id, summary, covers: [tool], state })
const pots = (state: string) => entry('kiln_manual', 'How to fire pots.', 'kiln', state)
const noise = (state: string) => entry('siren_manual', 'How to make noise.', 'siren', state)
const others = (unlisted: number) =>
  JSON.stringify({
    unlisted,
    follow: 'These are less like the goal and the tools. They are listed as those above are read.',
  })

test('A searched catalogue lists the unread documents most like the goal or a tool; as they are read, the next ones.', async () => {
  const play = await playAgent({ agent: sora, environment: kiln, params: { listed: 1 }, script: whole })
  expect([linesOf(play, 4), linesOf(play, 7), linesOf(play, 10)]).toEqual([
    [noise('listed'), others(1)],
    [pots('read'), noise('listed')],
    [pots('read'), noise('read')],
  ])
})

test('Without a search, or with room for all, the catalogue stands as it is told.', async () => {
  for (const params of [{}, { listed: 2 }]) {
    const play = await playAgent({ agent: sora, environment: kiln, params, script: whole })
    expect(linesOf(play, 4)?.toSorted()).toEqual([pots('listed'), noise('listed')])
  }
})

test('Vectors are kept with the memory: of what was embedded in one trial the next asks for nothing.', async () => {
  const trial = async (remembered: Play['kept']) => {
    const asked: string[] = []
    const play = await playAgent({
      agent: sora,
      environment: kiln,
      params: { memory: 'run', embeddings: 'some-model', listed: 1 },
      remembered,
      embed(text) {
        asked.push(text)
        return [text.includes('noise') ? 1 : 0.25, text.includes('Fire the pot') ? 0.1 : 1]
      },
      script: remembered === null ? whole : [observe(), reason('OBSERVE'), ...finish],
    })
    return { play, asked }
  }
  const first = await trial(null)
  expect([first.asked.length, new Set(first.asked).size, linesOf(first.play, 4)?.[0]]).toEqual([5, 5, pots('listed')])
  const next = await trial(first.play.kept)
  expect([next.asked, linesOf(next.play, 1)?.length]).toEqual([[], 2])
})

test('A vector comes back as the model gave it, to 32 bits; that of another model is of no use.', async () => {
  const vectors = createVectors('one')
  const ask = (texts: string[]) => Promise.resolve(texts.map((text) => [text.length, 0.5, -3]))
  expect(await vectors.of(['a', 'bb', 'a'], ask)).toEqual([
    [1, 0.5, -3],
    [2, 0.5, -3],
    [1, 0.5, -3],
  ])
  const none = () => Promise.reject(new Error('It asks again.'))
  const kept = vectorsSchema.parse(JSON.parse(JSON.stringify(vectors.all())))
  expect(await createVectors('one', kept).of(['bb'], none)).toEqual([[2, 0.5, -3]])
  await expect(createVectors('two', kept).of(['bb'], none)).rejects.toThrow('It asks again.')
})
