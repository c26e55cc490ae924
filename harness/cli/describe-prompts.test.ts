import { expect, test } from 'vitest'
import { loadAgent } from '../run/registry.js'
import { cli } from '../testing/cli.js'

test('describe --prompts prints what the model of an agent is told in each phase, the same front in all of them', async () => {
  const agent = await loadAgent('s-ora')
  const texts = Object.entries(agent.prompts?.(agent.params.parse({})) ?? {})
  const { code, out } = await cli('describe', 's-ora', '--prompts')
  expect(code).toBe(0)
  expect(texts.map(([phase]) => phase)).toEqual(['observation', 'reasoning', 'setup', 'action', 'completed'])
  for (const [phase, text] of texts) expect(out).toContain(`${phase}\n${text}`)
  const fronts = texts.map(([, text]) => text.slice(0, text.indexOf('## TASK')))
  expect(new Set(fronts).size).toBe(1)
})

test('An agent with another way of waiting prints the phase that it needs for it', async () => {
  const { out } = await cli('describe', 's-ora-reference', '--prompts')
  expect(out).toContain('result\n')
  expect(out).not.toContain('WAIT: suspend')
})
