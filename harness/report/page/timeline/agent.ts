import { fold, seconds, thousands } from '../../../trace/text.js'
import type { Lane } from '../../../trace/timeline.js'
import { html } from '../markup.js'
import { bar, titled } from './frame.js'
import type { Frame, PhaseStyles, Row } from './frame.js'
import { eventRow } from './signs.js'
import type { Event, Sign } from './signs.js'

export function phaseStyles(lanes: readonly Lane[]): PhaseStyles {
  const phases = [...new Set(lanes.flatMap((lane) => lane.phases.map(({ label }) => label)))]
  return { phases, style: (phase) => `phase p${(phases.indexOf(phase) % 8) + 1}` }
}

export function agentRows(lane: Lane, frame: Frame, { style }: PhaseStyles): Row[] {
  const looks = lookEvents(lane)
  return [
    ...(lane.phases.length > 0 ? [phaseRow(lane, frame, style)] : []),
    ...(lane.calls.length > 0 ? [callRow(lane, frame)] : []),
    ...(lane.waits.length > 0 ? [waitRow(lane, frame)] : []),
    ...(looks.length > 0 ? [eventRow('reads', 'What the agent looked at', looks, frame)] : []),
    ...(lane.troubles.length > 0
      ? [eventRow('trouble', 'Malformed answers and errors', troubleEvents(lane), frame)]
      : []),
    ...(lane.doorbells.length > 0
      ? [eventRow('doorbells', 'What became of doorbells on their way', doorbellEvents(lane), frame)]
      : []),
    eventRow('operations', 'What the agent did to the world', operationEvents(lane), frame),
  ]
}

function phaseRow({ phases }: Lane, frame: Frame, styleOf: PhaseStyles['style']): Row {
  return {
    name: 'phase',
    title: 'Phases of the architecture',
    height: 16,
    draw: (y) =>
      html`${phases.map(({ from, to, label, cycle }) =>
        titled(
          `${label}${cycle === null ? '' : `, cycle ${cycle}`}: ${seconds(from)} to ${seconds(to)}`,
          bar(frame, { from, to, y: y + 2, height: 12, style: styleOf(label) }),
        ),
      )}`,
  }
}

function callRow({ calls }: Lane, frame: Frame): Row {
  return {
    name: `thinking (${thousands(calls.length)} calls)`,
    title: 'Model calls, as long as they took in virtual time',
    shows: ['call', ...calls.map(({ state }) => callStyle(state))],
    height: 18,
    draw: (y) =>
      html`${calls.map(({ from, to, call, phase, state, said, tokens }) =>
        titled(
          `call ${call} ${phase}: ${seconds(from)} to ${seconds(to)}, ${thousands(tokens)} tokens, ${
            state === 'answered' ? fold(said ?? 'words', 160) : state
          }`,
          bar(frame, { from, to, y: y + 2, height: 14, style: callStyle(state) }),
        ),
      )}`,
  }
}

const callStyle = (state: Lane['calls'][number]['state']): string => (state === 'answered' ? 'call' : 'call cutoff')

function waitRow({ waits }: Lane, frame: Frame): Row {
  return {
    name: 'waits',
    title: 'Sleeps and suspensions',
    shows: waits.map(({ kind }) => kind),
    height: 18,
    draw: (y) =>
      html`${waits.map(({ from, to, kind, until }) =>
        titled(
          `${kind === 'sleep' ? 'sleeps' : 'suspended'} from ${seconds(from)} to ${seconds(to)}, until ${until}`,
          bar(frame, { from, to, y: y + 2, height: 14, style: kind, text: kind === 'sleep' ? 'sleep' : 'suspended' }),
        ),
      )}`,
  }
}

const LOOK_SIGNS: Record<Lane['looks'][number]['kind'], Sign> = {
  poll: 'poll',
  sync: 'sync',
  resync: 'sync',
  document: 'document',
  catalogue: 'document',
}

function lookEvents({ looks, consumed }: Lane): Event[] {
  return [
    ...looks.map(({ at, kind, what }): Event => ({
      at,
      sign: LOOK_SIGNS[kind],
      label: '',
      title: `${seconds(at)}: ${kind} of ${fold(what)}`,
    })),
    ...consumed.map(({ at, seqs }): Event => ({
      at,
      sign: 'taken',
      label: '',
      title: `${seconds(at)}: takes in the signals seq ${seqs.join(', ')}`,
    })),
  ].toSorted((a, b) => a.at - b.at)
}

function doorbellEvents({ doorbells }: Lane): Event[] {
  return doorbells.map(({ at, what, tool, delayMs, count }) => ({
    at,
    sign: what === 'dropped' ? 'lost' : 'late',
    label: '',
    title: `${seconds(at)}: doorbell of ${tool ?? 'the log'} ${what}${delayMs === 0 ? '' : `, rings in ${seconds(delayMs)}`}${count === 1 ? '' : `, ${count} times`}`,
  }))
}

function troubleEvents({ troubles }: Lane): Event[] {
  return troubles.map(({ at, what }) => ({
    at,
    sign: 'trouble',
    label: '',
    title: `${seconds(at)}: ${fold(what, 200)}`,
  }))
}

const signOf = (outcome: Lane['operations'][number]['outcome']): Sign => {
  if (outcome === 'harmed') return 'violation'
  return outcome === 'refused' || outcome === 'invalid' ? outcome : 'accepted'
}

function operationEvents({ operations, claims }: Lane): Event[] {
  return [
    ...operations.map(({ at, tool, action, outcome, message }): Event => ({
      at,
      sign: signOf(outcome),
      label: action === '' ? tool : action,
      title: `${seconds(at)}: ${tool}.${action} ${outcome}: ${fold(message, 200)}`,
    })),
    ...claims.map(({ at, claim, text }): Event => ({
      at,
      sign: 'claim',
      label: claim === 'achieved' ? 'claims success' : 'gives up',
      title: `${seconds(at)}: ${claim === 'achieved' ? 'claims success' : 'gives up'}: ${fold(text, 200)}`,
    })),
  ].toSorted((a, b) => a.at - b.at)
}
