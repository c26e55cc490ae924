import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { PICTURE, keptCells, openSuite, picture } from './sensitivity.js'

test('the readers of the page, played today, do in their first scenario what was kept of them (npm run sensitivity)', async () => {
  const { trials, play } = await openSuite(1)
  const kept = keptCells()
  const firstOf = ({ agent, model, calls, solved }: (typeof kept)[number]) => ({
    agent,
    model,
    calls,
    solved: solved[0],
  })
  expect(kept.map(({ agent, model }) => `${agent} ${model}`)).toEqual(
    trials.map(({ agent, model }) => `${agent} ${model}`),
  )
  // Of every third reader: each of them with another setting.
  const models = [...new Set(trials.map(({ model }) => model))].filter((_model, index) => index % 3 === 0)
  const some = trials.filter(({ model }) => models.includes(model))
  const played = []
  for (const identity of some) played.push(firstOf(await play(identity)))
  expect(played).toEqual(kept.filter(({ model }) => models.includes(model)).map(firstOf))
}, 60_000)

test('the picture of who solves more shows what was kept (npm run sensitivity)', async () => {
  expect(readFileSync(PICTURE, 'utf8')).toBe(await picture())
})
