import { z } from 'zod'
import { terms, windowOf } from '../../harness/kit/index.js'

const count = z.number().int().min(0).max(1_000)
const duration = z.number().int().min(1).max(86_400_000)

/** What each parameter is where nobody says otherwise: every repair in place. */
const FULL = {
  phases: 'apart' as 'apart' | 'fused',
  mountedDocuments: 12,
  window: 7 as number | null,
  guard: 'relevant' as 'any' | 'relevant' | 'off',
  guardBeliefs: true,
  guardActions: true,
  guardReflection: true,
  interrupt: 'guard' as 'guard' | 'abort',
  recheck: 'guard' as 'off' | 'guard' | 'always',
  maxDiversions: 3,
  maxSignals: 50,
  situating: 'setup' as 'setup' | 'calls',
  goalPolicy: 'interleaved' as 'interleaved' | 'sequential',
  knowledgeConstraint: true,
  wakeOnAnySignal: false,
  suspension: true,
  waitAlone: true,
  waitDecided: 'ahead' as 'ahead' | 'after' | 'called',
  timeouts: true,
  waitTimeoutMs: 300_000,
  maxWaitMs: 3_600_000,
  resyncMs: null as number | null,
  retypedDocuments: false,
  selectiveFocus: false,
  validateBeliefs: true,
  namespaces: 'separate' as 'separate' | 'shared',
  goalInReasoning: true,
  memory: 'trial' as 'none' | 'trial' | 'run' | 'persistent',
  memoryPath: 'results/memory',
  experiences: null as number | null,
  similarity: 0.6,
  experiencesIn: 'planning' as 'planning' | 'reasoning',
  maxSetbacks: 3,
}

/** The rules of the thesis' prototype, as docs/s-ora.md lists them with their sources. */
const REFERENCE: typeof FULL = {
  ...FULL,
  guard: 'any',
  guardBeliefs: false,
  guardActions: false,
  guardReflection: false,
  recheck: 'off',
  // More than any budget of calls allows: Listing 7.1 knows no bound.
  maxDiversions: 1_000,
  wakeOnAnySignal: true,
  waitAlone: false,
  waitDecided: 'after',
  timeouts: false,
  retypedDocuments: true,
  validateBeliefs: false,
  namespaces: 'shared',
  goalInReasoning: false,
  experiencesIn: 'reasoning',
}

/** One call a cycle: what the runtime can do by a rule, it does (docs/s-ora.md#s-ora-lean). */
const LEAN: typeof FULL = { ...FULL, phases: 'fused' }

/** The loop of phases and nothing else: the rest is as the single loop of ReAct has it (docs/agents.md#six-cells). */
const CELL: typeof FULL = {
  ...FULL,
  window: null,
  guard: 'off',
  guardBeliefs: false,
  recheck: 'off',
  maxSignals: 1_000,
  situating: 'calls',
  goalPolicy: 'sequential',
  knowledgeConstraint: false,
  waitDecided: 'called',
  validateBeliefs: false,
}

export const params = schema(FULL)
export const leanParams = schema(LEAN)
export const referenceParams = schema(REFERENCE)
export const cellParams = schema(CELL)
/** Where nothing is pushed the others have no effect. */
export const unpushedParams = cellParams.pick({ malformed: true, documents: true, window: true, maxSetbacks: true })
export type Params = z.output<typeof params>

/** Each field is an ablation or a bound of the architecture. */
function schema(preset: typeof FULL) {
  return z.strictObject({
    ...terms,
    window: windowOf(preset.window),
    phases: z
      .enum(['apart', 'fused'])
      .default(preset.phases)
      .describe(
        'Each phase asks by itself, or one call observes, decides and acts; documents and focus then follow by rule',
      ),
    mountedDocuments: count
      .min(1)
      .default(preset.mountedDocuments)
      .describe(
        'With fused phases: documents in the prompt at most; that of the tool that was operated longest ago goes',
      ),
    guard: z
      .enum(['any', 'relevant', 'off'])
      .default(preset.guard)
      .describe(
        'Divert to OBSERVATION on undrained signals, before model calls and actions: on any, or on those that the wait, its condition or a document mounted for the instruction’s tool names',
      ),
    guardBeliefs: z
      .boolean()
      .default(preset.guardBeliefs)
      .describe('The guard diverts an action as well whose stated preconditions have changed since it was decided'),
    guardActions: z
      .boolean()
      .default(preset.guardActions)
      .describe('The guard looks once more before an action is dispatched; false: between phases only'),
    guardReflection: z
      .boolean()
      .default(preset.guardReflection)
      .describe(
        'The guard looks before the reflection of COMPLETED, too; false: an activity that has ended stays ended',
      ),
    interrupt: z
      .enum(['guard', 'abort'])
      .default(preset.interrupt)
      .describe('A signal during a model call: the guard finds it afterwards, or the call is aborted (needs guard)'),
    recheck: z
      .enum(['off', 'guard', 'always'])
      .default(preset.recheck)
      .describe(
        'Read the log and all that is in focus without a doorbell, too: wherever the guard looks, or before every model call and action',
      ),
    maxDiversions: count
      .default(preset.maxDiversions)
      .describe('Diversions and aborted calls in a row, with no step forward between them'),
    maxSignals: count
      .min(1)
      .default(preset.maxSignals)
      .describe('Signals of one name that a prompt shows one by one; of more the last, and how many came before'),
    situating: z
      .enum(['setup', 'calls'])
      .default(preset.situating)
      .describe(
        'SETUP mounts documents and chooses the focus; calls: what was read stays in the prompt, and focus is a call of ACTION',
      ),
    goalPolicy: z
      .enum(['interleaved', 'sequential'])
      .default(preset.goalPolicy)
      .describe('Several goals: activities side by side, or one after the other'),
    knowledgeConstraint: z
      .boolean()
      .default(preset.knowledgeConstraint)
      .describe('No operation without a mounted document that covers its tool'),
    wakeOnAnySignal: z
      .boolean()
      .default(preset.wakeOnAnySignal)
      .describe('Any signal ends a wait, not only the named ones'),
    suspension: z
      .boolean()
      .default(preset.suspension)
      .describe('Waits suspend the activity; false: it goes on observing and asking, cycle after cycle'),
    waitAlone: z
      .boolean()
      .default(preset.waitAlone)
      .describe('REASONING may decide to wait or to observe; false: SETUP or ACT only, and a wait needs a tool call'),
    waitDecided: z
      .enum(['ahead', 'after', 'called'])
      .default(preset.waitDecided)
      .describe(
        'The wait of an action is decided with it, or by one more model call after its result; called: every wait is a call of ACTION',
      ),
    timeouts: z.boolean().default(preset.timeouts).describe('Waits end at a time-out'),
    waitTimeoutMs: duration
      .default(preset.waitTimeoutMs)
      .describe('Time-out of a wait for which the model states none (ms)'),
    maxWaitMs: duration.default(preset.maxWaitMs).describe('Upper bound of the time-out of any wait (ms)'),
    resyncMs: duration
      .nullable()
      .default(preset.resyncMs)
      .describe('While suspended, read the log at this interval (ms); null: never'),
    retypedDocuments: z
      .boolean()
      .default(preset.retypedDocuments)
      .describe('Memory keeps a document as the model retypes it, not as it came'),
    selectiveFocus: z
      .boolean()
      .default(preset.selectiveFocus)
      .describe('SETUP is told that it may focus single signals and properties of a tool, as tool.name'),
    attention: z
      .string()
      .regex(/^[^.,\s]+\.[^,\s]+(,[^.,\s]+\.[^,\s]+)*$/, 'must be names such as tool.name, with commas between them')
      .optional()
      .describe(
        'Signals and properties, as tool.name,tool.name, to which a focus is narrowed where SETUP names none (if absent: all)',
      ),
    validateBeliefs: z
      .boolean()
      .default(preset.validateBeliefs)
      .describe('Values outside of the range that a mounted document states are told in trace and prompt'),
    namespaces: z
      .enum(['separate', 'shared'])
      .default(preset.namespaces)
      .describe('Shared: properties named goal_progress and act_instruction overwrite plan and instruction'),
    goalInReasoning: z.boolean().default(preset.goalInReasoning).describe('REASONING is shown the goal'),
    memory: z
      .enum(['none', 'trial', 'run', 'persistent'])
      .default(preset.memory)
      .describe('How long what was read and learnt lives; none: an activity forgets a document when it unmounts it'),
    memoryPath: z.string().min(1).default(preset.memoryPath).describe('The folder of a persistent memory'),
    experiences: count
      .nullable()
      .default(preset.experiences)
      .describe('Experiences that a prompt shows at most; null: 3 where memory outlasts the trial, else 0'),
    similarity: z
      .number()
      .min(0)
      .max(1)
      .default(preset.similarity)
      .describe(
        'An experience is shown whose goal is at least so similar: (cosine + 1) / 2; words alone give 0.5 to 1',
      ),
    embeddings: z
      .string()
      .min(1)
      .optional()
      .describe(
        'The model whose embeddings compare goals and documents, such as text-embedding-3-small; none: their words do',
      ),
    listed: count
      .min(1)
      .optional()
      .describe('Unread documents that a prompt lists at most, those most like the goal or a tool (if absent: all)'),
    experiencesIn: z
      .enum(['planning', 'reasoning'])
      .default(preset.experiencesIn)
      .describe('Experiences are shown where plans are made (OBSERVATION and REASONING), or in REASONING alone'),
    maxSetbacks: count
      .default(preset.maxSetbacks)
      .describe('Phases in a row that lead nowhere; one more ends the activity'),
  })
}
