import { describe, expect, test } from 'vitest'
import type { Agent, Trace } from '../contract/index.js'
import type { ChatModel } from '../model/chat.js'
import { loadAgent, pluginFiles } from '../run/registry.js'
import { createRandom } from '../sim/random.js'
import { recordsOf } from '../trace/records.js'
import { playTrial, sane } from './agent/play.js'

const agents: Agent[] = []
for (const name of pluginFiles('agent').keys()) {
  const agent = await loadAgent(name)
  if (agent.usesModel) agents.push(agent)
}

/**
 * Of a trial's answers, in their order: `+` could be used, `-` could not. Reflections are left out: the goal is settled
 * before them. `ended`: the goal was given up over the last of them.
 */
function turnsOf(trace: Trace): { story: string; ended: boolean } {
  const reflections = new Set(
    recordsOf(trace, 'request').flatMap(({ phase, call }) => (phase === 'completed' ? [call] : [])),
  )
  let [story, ended, counts] = ['', false, true]
  for (const record of trace) {
    if (record.kind === 'answer') {
      counts = !reflections.has(record.call)
      if (counts) story += '+'
    } else if (counts && (record.kind === 'malformed' || record.kind === 'invalid')) story = `${story.slice(0, -1)}-`
    else if (record.kind === 'claim') ended = record.claim === 'gave_up' && story.endsWith('-')
  }
  return { story, ended }
}

/** Cuts a share of the answers, as a slip of `syntax` does, but by a coin that knows no decision; of an end in plain text it leaves nothing. */
function cutting(chat: ChatModel, share: number, seed: number): ChatModel {
  const coin = createRandom(String(seed)).stream('cut')
  return {
    name: chat.name,
    async complete(request) {
      const { text, toolCalls, ...rest } = await chat.complete(request)
      const cut = coin.chance(share)
      if (!cut) return { text, toolCalls, ...rest }
      if (toolCalls.length === 0)
        return { text: request.schema === undefined ? '' : (text?.slice(0, -1) ?? null), toolCalls, ...rest }
      return {
        text,
        toolCalls: toolCalls.map((call) => ({ ...call, arguments: call.arguments.slice(0, -1) })),
        ...rest,
      }
    },
  }
}

describe.each(agents.map((agent) => [agent.name, agent] as const))('%s', (_name, agent) => {
  test('that may correct one answer is ended by a turn in 0.4² of the scenarios where 0.6 of the answers are well-formed', async () => {
    const trials = 200
    const chat = sane('sim:careful?syntax=0.6')
    let ends = 0
    for (let seed = 0; seed < trials; seed++) {
      const trace = await playTrial({
        agent,
        params: { malformed: 1 },
        chat,
        seed: String(seed),
        limits: { modelCalls: 3 },
      })
      const { story, ended } = turnsOf(trace)
      if (ended && story === '--') ends += 1
    }
    const expected = 0.4 ** 2
    const error = Math.sqrt((expected * (1 - expected)) / trials)
    expect(Math.abs(ends / trials - expected)).toBeLessThan(3 * error)
  })

  test('gives up over the third answer in a row that cannot be used, in whatever phases they were, and over no other', async () => {
    let ends = 0
    for (let seed = 0; seed < 40; seed++) {
      const trace = await playTrial({ agent, params: { malformed: 2 }, chat: cutting(sane(), 0.4, seed) })
      const { story, ended } = turnsOf(trace)
      expect({ seed, story, ended }).toEqual({ seed, story, ended: story.endsWith('---') })
      expect(story).not.toMatch(/---./)
      if (ended) ends += 1
    }
    expect(ends).toBeGreaterThan(5)
  })
})
