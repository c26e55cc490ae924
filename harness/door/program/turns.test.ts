import { expect, test } from 'vitest'
import { MAX_WAITING, createTurns } from './host.js'
import type { Work } from './host.js'

function stage() {
  const works: Work[] = []
  return { works, turns: createTurns((work) => works.push(work)) }
}

test('work is done when its turn has come, and whoever asked gets the result', async () => {
  const { works, turns } = stage()
  const done: string[] = []
  const asked = turns.inTurn(async () => done.push('work'))
  expect([works.length, done]).toEqual([1, []])
  await works[0]?.run()
  expect([await asked, done]).toEqual([1, ['work']])
})

test('what work throws is its doer’s affair, and tells nothing to whoever asked', async () => {
  const { works, turns } = stage()
  const bug = new Error('A secret of the world.')
  const asked = turns.inTurn(() => Promise.reject(bug))
  await Promise.all([expect(works[0]?.run()).rejects.toBe(bug), expect(asked).rejects.toThrow(/^The call failed\.$/)])
})

test('only so much may wait at once', async () => {
  const { works, turns } = stage()
  const ask = () => turns.inTurn(async () => 'done')
  const asked = Array.from({ length: MAX_WAITING }, ask)
  await expect(ask()).rejects.toThrow(`More than ${MAX_WAITING} calls wait already.`)
  await works[0]?.run()
  const late = ask()
  for (const work of works.slice(1)) await work.run()
  expect(await Promise.all([...asked, late])).toEqual(Array.from({ length: MAX_WAITING + 1 }, () => 'done'))
})

test('when the part is over, what waits is refused, and what comes', async () => {
  const { works, turns } = stage()
  const asked = turns.inTurn(async () => 'done')
  turns.close()
  works[0]?.refuse()
  await expect(asked).rejects.toThrow('This part is over.')
  await expect(turns.inTurn(async () => 'done')).rejects.toThrow('This part is over.')
})
