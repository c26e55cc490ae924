import { Refusal, z } from '../../harness/contract/index.js'
import type { Instances, Kit, ManualDeclaration, Operation, Property, Signal } from '../../harness/contract/index.js'
import { drawCourse } from './jobs.js'
import { documentsOf } from './params.js'
import type { Params } from './params.js'

// Schemas stand outside of the set-up: to make them costs more than all the rest of opening a world.
const STATUS = z.enum(['IDLE', 'PROCESSING', 'OVERLOADED'])
const STATE = z.enum(['PROCESSING', 'COMPLETED', 'FAILED', 'CANCELLED', 'DOWNLOADED'])
const FILE = z.string().min(1).max(64)
const SLOTS = z.int().min(0).max(16)
const START = z.strictObject({ file: FILE })
const JOB = z.strictObject({ job: z.string().min(1).max(64) })
const ENDED = z.strictObject({ job: z.string(), file: z.string() })
const FREED = z.strictObject({ free: z.int() })

export interface Converter {
  state: Instances<z.output<typeof STATE>>
  file: Instances<string>
  slots: Property<number>
  startJob: Operation
  downloadResult: Operation
  cancelJob: Operation
  completed: Signal<never>
  failed: Signal<never>
  freed: Signal<never>
  /** The documents whose results have been downloaded. */
  downloaded: ReadonlySet<string>
  manual: ManualDeclaration
}

export function buildConverter(kit: Kit<Params>): Converter {
  const { params } = kit
  const tool = kit.artifact('converter', 'Converts documents, each as a job that takes its time.')
  const status = tool.property('status', STATUS, 'IDLE', 'What the converter does as a whole.')
  const slots = tool.property('free_slots', SLOTS, params.capacity, 'Number of jobs that it could take on now.')
  const state = tool.propertyPer('jobs[<job>].state', STATE, 'What has become of a job.')
  const file = tool.propertyPer('jobs[<job>].file', FILE, 'Name of the document that a job converts.')

  const completed = tool.signal('JOB_COMPLETED', ENDED, 'The result of a job is ready.')
  const failed = tool.signal('JOB_FAILED', ENDED, 'A job has ended without a result.')
  const overloaded = tool.signal('CONVERTER_OVERLOADED', FREED, 'The last slot has been taken.', {
    when: [status.is('OVERLOADED')],
  })
  const freed = tool.signal('CAPACITY_FREED', FREED, 'The converter is not overloaded any more.', {
    when: [slots.atLeast(1)],
  })

  const emptyDownload = kit.violation('empty_download', 'A result was downloaded before there was one.', {
    unit: 'ms',
    nearWithin: 1_000,
  })
  const lostJob = kit.violation('lost_job', 'A job was started while the converter was overloaded, and got lost.')

  const known = new Set(documentsOf(params))
  const attempts = new Map<string, number>()
  const completedAt = new Map<string, number>()
  const downloaded = new Set<string>()
  const running = new Map<string, () => void>()
  let jobs = 0

  function settle(): void {
    const free = params.capacity - running.size
    const before = slots.value
    slots.value = free
    status.value = free === 0 ? 'OVERLOADED' : running.size === 0 ? 'IDLE' : 'PROCESSING'
    if (before > 0 && free === 0) overloaded.emit({ free })
    if (before === 0 && free > 0) freed.emit({ free })
  }

  const startJob = tool.operation(
    'start_job',
    {
      summary: 'Starts the conversion of a document as a new job.',
      behaviour:
        'The new job has a name of its own, told by the acknowledgement. How long it takes is stated nowhere. A document whose job has failed may be started again.',
      args: START,
      requires: [
        kit.requires(slots.atLeast(1), {
          otherwise: lostJob.when(status.is('OVERLOADED')),
          reason: 'an overloaded converter loses the job',
        }),
      ],
      effects: [state.becomes('PROCESSING'), file.becomesArgument('file'), slots.falls({ by: 1 })],
      completes: [
        { signal: completed, effects: [state.becomes('COMPLETED')] },
        { signal: failed, effects: [state.becomes('FAILED')] },
      ],
      harm: () => 'OVERLOADED: the job has been lost.',
    },
    (args, { activity }) => {
      if (!known.has(args.file)) throw new Refusal('`file` is the name of a document in the inbox')
      const attempt = attempts.get(args.file) ?? 0
      attempts.set(args.file, attempt + 1)
      const job = `job-${++jobs}`
      const own = state.create(job, 'PROCESSING')
      file.create(job, args.file)
      const { lastsMs, fails } = drawCourse(kit, args.file, attempt)
      const end = (): void => {
        running.delete(job)
        own.value = fails ? 'FAILED' : 'COMPLETED'
        if (!fails) completedAt.set(job, kit.now())
        const signal = fails ? failed : completed
        signal.emit({ job, file: args.file }, params.announce === 'caller' ? { to: activity } : {})
        settle()
      }
      running.set(job, kit.after(lastsMs, end))
      settle()
      return 'Job started.'
    },
  )

  const downloadResult = tool.operation(
    'download_result',
    {
      summary: 'Downloads the result of a job.',
      behaviour: 'Before there is a result, what is downloaded is an empty file.',
      args: JOB,
      requires: [
        kit.requires(state.is('COMPLETED'), {
          otherwise: emptyDownload.when(state.is('PROCESSING')),
          reason: 'the document has been converted',
        }),
      ],
      effects: [state.becomes('DOWNLOADED')],
      harm: () => 'EMPTY: there is no result yet, and an empty file has been downloaded in its place.',
    },
    ({ job }) => {
      const own = state.get(job)
      if (own !== null) own.value = 'DOWNLOADED'
      downloaded.add(file.get(job)?.value ?? '')
      emptyDownload.margin(kit.now() - (completedAt.get(job) ?? 0))
      return 'Result downloaded.'
    },
  )

  const cancelJob = tool.operation(
    'cancel_job',
    {
      summary: 'Cancels a job that is under way.',
      behaviour: 'Its slot becomes free at once. It will neither complete nor fail.',
      args: JOB,
      requires: [kit.requires(state.is('PROCESSING'), { reason: 'the job is under way' })],
      effects: [state.becomes('CANCELLED')],
    },
    ({ job }) => {
      running.get(job)?.()
      running.delete(job)
      const own = state.get(job)
      if (own !== null) own.value = 'CANCELLED'
      settle()
      return 'Job cancelled.'
    },
  )

  return {
    state,
    file,
    slots,
    startJob,
    downloadResult,
    cancelJob,
    completed,
    failed,
    freed,
    downloaded,
    manual: {
      kind: 'manual',
      title: 'Document Converter',
      summary: 'The document converter: starting a job, following its state, and downloading the result.',
      category: 'Office Automation / Documents',
      version: '2.3.0',
      covers: [tool],
      role: 'active actuator',
      description:
        'The converter takes documents from the inbox and converts each of them in the background, as a job. Several jobs may run side by side, up to its capacity. The result of a job waits until it is downloaded.',
      protocol: [
        'A result may be downloaded only when `jobs[<job>].state` is `COMPLETED`, told by `JOB_COMPLETED`. WARNING: before that, `download_result` brings an empty file.',
        'WARNING: never `start_job` while `status` is `OVERLOADED`. Such a job is lost. `CAPACITY_FREED` tells when the converter can take on work again.',
        'After `JOB_FAILED` the document may be started again. It gets a new job.',
        `Who hears of the end of a job: ${params.announce === 'caller' ? 'whoever has started it' : 'everybody who watches the converter'}.`,
      ],
      integration: 'The converter depends on no other tool.',
    },
  }
}
