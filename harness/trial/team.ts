import { z } from 'zod'
import { UserError, defineAgent } from '../contract/index.js'
import type { Agent, Clock, Context, JsonObject, Process, Question, Surface } from '../contract/index.js'
import { parseParams } from './params.js'

/** One seat of a team: `ODD=s-ora`. The role `*` stands for all that have no seat of their own. */
interface Member {
  role: string
  agent: Agent
}

/** An agent whose roles are played by several: `ODD=s-ora+EVEN=react-polling`. Its parameters are theirs: `ODD.guard`. */
interface Team extends Agent {
  members: readonly Member[]
}

export const isTeam = (name: string): boolean => name.includes('=')

/** The seats that a team's name tells of, as role and the text that names the agent. */
export function seatsIn(name: string): [role: string, agent: string][] {
  const seats = name.split('+').map((seat): [string, string] => {
    const [, role, agent] = /^([A-Za-z0-9_-]+|\*)=([^=]+)$/.exec(seat.trim()) ?? []
    if (role === undefined || agent === undefined)
      throw new UserError(`"${name}" is no team. Write one agent per role, as in ODD=s-ora+EVEN=react-polling.`)
    return [role, agent]
  })
  const twice = seats.find(([role], index) => seats.findIndex(([other]) => other === role) !== index)
  if (twice !== undefined) throw new UserError(`The team "${name}" names the role ${twice[0]} twice.`)
  return seats
}

export const teamName = (seats: readonly [role: string, agent: string][]): string =>
  seats.map(([role, agent]) => `${role}=${agent}`).join('+')

export function createTeam(members: readonly Member[]): Agent {
  const shape = members.flatMap(({ role, agent }) =>
    Object.entries(agent.params.shape).map(([key, type]): [string, z.core.$ZodType] => [`${role}.${key}`, type]),
  )
  const team = defineAgent({
    name: teamName(members.map(({ role, agent }) => [role, agent.name])),
    version: members.map(({ role, agent }) => `${role}=${agent.version}`).join('+'),
    summary: `A team: ${members.map(({ role, agent }) => `${role} is played by ${agent.name}`).join(', ')}.`,
    surface: members[0]?.agent.surface ?? 'act',
    usesModel: members.some(({ agent }) => agent.usesModel),
    thinks: members.some(({ agent }) => agent.thinks === true),
    params: z.strictObject(Object.fromEntries(shape)),
    run: () => Promise.reject(new Error('A team is no agent: its members are run.')),
  })
  return Object.assign(team, { members })
}

const isTeamAgent = (agent: Agent): agent is Team => 'members' in agent

/** Who plays a role, and with which parameters. */
export function seatedAt(agent: Agent, role: string, params: JsonObject): { agent: Agent; params: JsonObject } {
  if (!isTeamAgent(agent)) return { agent, params }
  const member = memberOf(agent, role)
  if (member === null) throw new Error(`The team ${agent.name} has nobody for the role ${role}.`)
  const prefix = `${member.role}.`
  const own = Object.entries(params).flatMap(([key, value]) =>
    key.startsWith(prefix) ? [[key.slice(prefix.length), value] as const] : [],
  )
  return { agent: member.agent, params: parseParams(member.agent.name, member.agent.params, Object.fromEntries(own)) }
}

/** Everybody who may have a seat, each with their own parameters. */
export function seatsOf(agent: Agent, params: JsonObject): { agent: Agent; params: JsonObject }[] {
  return isTeamAgent(agent) ? agent.members.map(({ role }) => seatedAt(agent, role, params)) : [{ agent, params }]
}

export function memberOf(agent: Agent, role: string): Member | null {
  const members = isTeamAgent(agent) ? agent.members : []
  return members.find((member) => member.role === role) ?? members.find((member) => member.role === '*') ?? null
}

/** The first of those who play, an agent itself or the members of a team, that is a program; else null. */
export function programIn(agent: Agent): Agent | null {
  const players = isTeamAgent(agent) ? agent.members.map((member) => member.agent) : [agent]
  return players.find(({ program }) => program !== undefined) ?? null
}

/** Throws where a team and a world's roles do not fit together. */
export function checkTeam(agent: Agent, environment: string, roles: readonly string[]): void {
  if (!isTeamAgent(agent)) return
  const unknown = agent.members.find(({ role }) => role !== '*' && !roles.includes(role))
  const way = `Its roles: ${roles.join(', ')}; * stands for all others.`
  if (unknown !== undefined) throw new UserError(`${environment} has no role "${unknown.role}". ${way}`)
  const empty = roles.find((role) => memberOf(agent, role) === null)
  if (empty !== undefined)
    throw new UserError(`The team ${agent.name} has nobody for the role ${empty} of ${environment}. ${way}`)
}

/** Who answers the questions of agents. `signal`: nobody waits any more. Null: no answer. */
export type Person = (question: Pick<Question, 'text' | 'choices'>, signal: AbortSignal) => Promise<string | null>

/** The way of a seat to the person. The answer takes as long as it really takes; the world goes on meanwhile. */
export function createAsking(
  person: Person,
  { clock, self, onEnd }: { clock: Clock; self: Process; onEnd: (close: () => Promise<void>) => void },
): Context<Surface, JsonObject>['askPerson'] {
  return async ({ text, choices, timeoutMs }) => {
    const over = new AbortController()
    onEnd(() => Promise.resolve(over.abort()))
    const cancel = clock.after(timeoutMs, () => over.abort(), { ambient: true })
    const { value } = await self.think(async () => {
      const answer = await Promise.race([person({ text, choices }, over.signal), aborted(over.signal)])
      return { value: answer, lastsMs: 0 }
    })
    cancel()
    return value
  }
}

const aborted = (signal: AbortSignal): Promise<null> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(null), { once: true }))

/** The first of those who play, an agent itself or the members of a team, that asks a person; else null. */
export function askerAmong(agent: Agent, params: JsonObject): Agent | null {
  return seatsOf(agent, params).find((seat) => seat.agent.asksPerson?.(seat.params) === true)?.agent ?? null
}
