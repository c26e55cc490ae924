import { InfrastructureError } from '../../contract/index.js'
import type {
  Context,
  Happening,
  JsonObject,
  Limits,
  Process,
  Program,
  Recorder,
  Surface,
} from '../../contract/index.js'
import { ownBell } from '../../sim/bell.js'
import { hostDoor } from '../hosted.js'
import type { HostedDoor } from '../hosted.js'
import { openLoopback } from '../loopback.js'
import type { Session } from '../session.js'
import { startChild } from './child.js'
import type { Child, ChildEnd, Piece } from './child.js'
import { CONTRACT_VERSION, createProgramOutput } from './messages.js'
import type { ToProgram } from './messages.js'

/** What comes from outside at its own time, taken in one by one. */
class Inbox<T> {
  #items: T[] = []
  #arrived: () => void = () => {}

  put(item: T): void {
    this.#items.push(item)
    this.#arrived()
  }

  /** The next one, when it is there. */
  async next(): Promise<T> {
    for (;;) {
      const [first] = this.#items.splice(0, 1)
      if (first !== undefined) return first
      await new Promise<void>((resolve) => (this.#arrived = resolve))
    }
  }

  /** All that is there, at once. */
  empty(): T[] {
    return this.#items.splice(0)
  }
}

/** Work from outside that waits for the turn of a seat. */
export interface Work {
  /** Throws what the work throws: whoever does it answers for it. */
  run(): Promise<void>
  refuse(): void
}

export const MAX_WAITING = 32

/** `put` hands the work to whoever has the turn. */
export function createTurns(put: (work: Work) => void) {
  let isClosed = false
  let waiting = 0
  return {
    /** Rejects where the part is over, or too much waits already. */
    async inTurn<T>(work: () => Promise<T>): Promise<T> {
      if (isClosed) throw new Error('This part is over.')
      if (waiting >= MAX_WAITING) throw new Error(`More than ${MAX_WAITING} calls wait already.`)
      waiting += 1
      return new Promise<T>((resolve, reject) => {
        put({
          async run() {
            waiting -= 1
            try {
              resolve(await work())
            } catch (error) {
              reject(new Error('The call failed.'))
              throw error
            }
          },
          refuse: () => reject(new Error('This part is over.')),
        })
      })
    },
    /** Nothing is taken in any more. */
    close(): void {
      isClosed = true
    },
  }
}

/** The seat that a program takes in a trial. */
interface ProgramSeat {
  agent: { name: string; surface: Surface }
  self: Process
  session: Session
  record: Recorder
  limits: Limits
  speed: number
  /** What it is given is called when the trial is over, whatever became of it: nothing of the program may outlive it. */
  onEnd: (close: () => Promise<void>) => void
}

/** What comes from outside, or from the world, while the seat waits. */
type Event =
  | { kind: 'work'; work: Work }
  | { kind: 'piece'; piece: Piece }
  | { kind: 'ended'; end: ChildEnd }
  | { kind: 'rung' }

interface Pursuit {
  uuid: string
  hosted: HostedDoor
  isClaimed: boolean
}

/**
 * Plays a part by a program: serves it its doors over MCP, hands it its goals, and takes its claims. All that it does
 * is done in the turn of its seat; while nothing comes from it, it counts as thinking.
 */
export async function hostProgram(
  command: Program,
  context: Context<Surface, JsonObject>,
  seat: ProgramSeat,
): Promise<void> {
  const { agent, self, session } = seat
  const record = (happening: Happening): void => seat.record(happening, { role: context.role.name })
  const inbox = new Inbox<Event>()
  const pursuits = new Map<number, Pursuit>()
  let isOver = false
  let isRung = false
  let child: Child | null = null
  const turns = createTurns((work) => inbox.put({ kind: 'work', work }))
  const output = createProgramOutput({
    agent: agent.name,
    record,
    claim(goal, claim, text) {
      const pursuit = pursuits.get(goal)
      if (pursuit === undefined) return `There is no goal ${goal}`
      if (pursuit.isClaimed) return `Goal ${goal} is claimed already`
      pursuit.isClaimed = true
      context.claim(pursuit.uuid, claim, text)
      return null
    },
  })

  const loopback = await openLoopback()
  seat.onEnd(async () => {
    if (!isOver && child?.isAlive === true) {
      record({ kind: 'program', what: 'stopped', text: 'It was still running when the trial ended, and was killed.' })
    }
    isOver = true
    await child?.kill()
    await loopback.close()
  })
  session.watch((uuid, tool) => [...pursuits.values()].find((pursuit) => pursuit.uuid === uuid)?.hosted.rung(tool))
  ownBell(session.bell).attach({
    rung() {
      if (!isRung) inbox.put({ kind: 'rung' })
      isRung = true
    },
  })
  const program = startChild(command, {
    heard: (piece) => inbox.put({ kind: 'piece', piece }),
    ended: (end) => inbox.put({ kind: 'ended', end }),
  })
  child = program

  try {
    await play()
  } catch (error) {
    void program.kill()
    throw error
  } finally {
    isOver = true
    turns.close()
    for (const event of inbox.empty()) if (event.kind === 'work') event.work.refuse()
  }

  async function play(): Promise<void> {
    record({ kind: 'program', what: 'started', text: output.clipped(command.command.join(' ')) })
    sendHello()
    await offerGoals()
    while (!isSettled()) {
      const { value: event } = await self.think(async () => ({ value: await inbox.next(), lastsMs: 0 }))
      if (event?.kind === 'ended') return leave(event.end)
      if (event?.kind === 'work') await event.work.run()
      if (event?.kind === 'piece') output.take(event.piece)
      if (event?.kind === 'rung') {
        isRung = false
        await offerGoals()
      }
    }
    send({ type: 'end' })
    program.hush()
  }

  function send(message: ToProgram): void {
    program.send(message)
  }

  function sendHello(): void {
    const { virtualMs, operations } = seat.limits
    send({
      type: 'hello',
      version: CONTRACT_VERSION,
      agent: agent.name,
      role: context.role.name,
      surface: agent.surface,
      params: context.params,
      seed: context.random.seed('program'),
      speed: seat.speed,
      limits: { virtualMs, operations },
    })
  }

  /** Every goal is an activity of its own, with a door and an address. */
  async function offerGoals(): Promise<void> {
    for (const goal of context.goals.take()) {
      const door = await context.open(`goal-${goal.index}`, [goal])
      const hosted = hostDoor(door, (work) => turns.inTurn(work))
      pursuits.set(goal.index, { uuid: door.uuid, hosted, isClaimed: false })
      const url = loopback.open(() => hosted.serve())
      send({ type: 'goal', goal: goal.index, text: goal.text, role: context.role.name, url })
    }
  }

  function isSettled(): boolean {
    return [...pursuits.values()].every(({ isClaimed }) => isClaimed) && !context.goals.expected()
  }

  /** Before its goals are settled: to leave in peace is to give up without a word, all else is a failure. */
  function leave(end: ChildEnd): void {
    if (end.kind === 'failed')
      throw new InfrastructureError(`The program of ${agent.name} cannot be started: ${end.why}.`)
    const complaint = output.clipped(program.complaint(), 'tail')
    if (complaint !== '') record({ kind: 'program', what: 'stderr', text: complaint })
    const how = end.signal === null ? `code ${end.code}` : `signal ${end.signal}`
    record({ kind: 'program', what: 'exited', text: how })
    if (end.code === 0) return
    const why = complaint.split('\n').at(-1) ?? ''
    throw new Error(`The program of ${agent.name} ended with ${how} before its goals were settled. ${why}`.trim())
  }
}
