import { defineEnvironment } from '../../harness/contract/index.js'
import type { DocumentDeclaration, GoalSpec } from '../../harness/contract/index.js'
import { buildConverter } from './converter.js'
import { DISTRACTORS } from './distractors.js'
import { documentsOf, params } from './params.js'
import type { Params } from './params.js'
import { buildScripts } from './scripts.js'

function goalFor(file: string, index: number, { goals, goalGapMs }: Params): GoalSpec {
  const text = `Have the document "${file}" converted and download its result, so that the state of its job is DOWNLOADED.`
  if (index === 0 || goals === 'together') return { text }
  return goals === 'apart' ? { text, atMs: index * goalGapMs } : { text, after: index - 1 }
}

/** The running example of the thesis (3.1): work that is handed over, takes its time, and need not hold anybody up. */
export default defineEnvironment({
  name: 'converter',
  version: '1',
  summary: 'Documents are converted by jobs that take their time, side by side; a result exists only at the end.',
  params,
  roles: (values) => {
    const goals = documentsOf(values).map((file, index) => goalFor(file, index, values))
    const [only, ...others] = goals
    return [{ name: 'clerk', goal: only !== undefined && others.length === 0 ? only.text : goals }]
  },
  setup(kit) {
    const converter = buildConverter(kit)
    const catalogue: [string, DocumentDeclaration][] = [['converter_manual', converter.manual], ...DISTRACTORS]
    for (const [id, declaration] of kit.random.stream('catalogue').shuffle(catalogue)) kit.document(id, declaration)
    return {
      reached: () => documentsOf(kit.params).every((file) => converter.downloaded.has(file)),
      ...buildScripts(kit, converter),
    }
  },
})
