import { prompt } from '../kit/index.js'
import type { Bell, Claim, Clock, Goal, GoalSpec, Goals, Recorder, Role } from '../contract/index.js'

export const goalsOf = ({ goal }: Role): readonly GoalSpec[] => (typeof goal === 'string' ? [{ text: goal }] : goal)

/** What is there from the beginning, as one text. */
export function openingGoal(role: Role): string {
  const first = goalsOf(role).filter(({ atMs, after }) => atMs === undefined && after === undefined)
  return prompt.goalText(first.map(({ text }) => text))
}

/** All goals of the role as one text, for those who tell of the trial. */
export const wholeGoal = (role: Role): string => prompt.goalText(goalsOf(role).map(({ text }) => text))

/** Throws for goals that could never arrive: an environment's author is to know. */
export function checkGoals({ name, goal }: Role): void {
  if (typeof goal === 'string') return
  if (goal.length === 0) throw new Error(`The role ${name} has no goal.`)
  for (const [index, { after, atMs }] of goal.entries()) {
    if (after !== undefined && atMs !== undefined)
      throw new Error(`Goal ${index} of the role ${name} has both "atMs" and "after": keep one of them.`)
    if (atMs !== undefined && !(Number.isFinite(atMs) && atMs >= 0))
      throw new Error(`Goal ${index} of the role ${name} arrives at ${atMs} ms: "atMs" is a time from 0 on.`)
    if (after !== undefined && !(Number.isInteger(after) && after >= 0 && after < index))
      throw new Error(`Goal ${index} of the role ${name} comes after goal ${after}, which does not stand before it.`)
  }
}

/** The goals of one role, handed out as they arrive: the upstream orchestrator of thesis 3.3.1. */
export function assignGoals(role: Role, { clock, bell, record }: { clock: Clock; bell: Bell; record: Recorder }) {
  const specs = goalsOf(role)
  const several = typeof role.goal !== 'string'
  const arrived: Goal[] = []
  const open = new Set(specs.keys())
  const given = new Map<string, readonly Goal[]>()
  const settled = new Map<number, Claim>()

  const arrive = (index: number): void => {
    if (clock.over || !open.delete(index)) return
    const text = specs[index]?.text ?? ''
    arrived.push({ index, text })
    if (several) record({ kind: 'goal', goal: index, text }, { role: role.name })
  }
  const news = (index: number): void => {
    arrive(index)
    bell.ring()
  }
  for (const [index, { atMs, after }] of specs.entries()) {
    if (atMs !== undefined && atMs > clock.now()) clock.after(atMs - clock.now(), () => news(index))
    else if (after === undefined) arrive(index)
  }

  /** A goal that waits for one that was given up, or will itself never arrive, never arrives. */
  const mayArrive = (index: number): boolean => {
    const after = specs[index]?.after
    return after === undefined || (!open.has(after) ? settled.get(after) !== 'gave_up' : mayArrive(after))
  }

  const goals: Goals = {
    take: () => arrived.splice(0),
    expected: () => arrived.length > 0 || [...open].some(mayArrive),
  }
  return {
    goals,
    /** An activity begins to pursue some of them. */
    begin: (activity: string, taken: readonly Goal[]): void => {
      given.set(activity, taken)
      if (several && taken.length > 0)
        record({ kind: 'pursue', goals: taken.map(({ index }) => index) }, { role: role.name, activity })
    },
    /** Its claim settles what it pursues, and may bring the goals that wait for it. */
    claimed: (activity: string, claim: Claim): void => {
      for (const { index } of given.get(activity) ?? []) {
        settled.set(index, claim)
        if (claim !== 'achieved') continue
        for (const [waiting, { after }] of specs.entries()) if (after === index) news(waiting)
      }
    },
  }
}
