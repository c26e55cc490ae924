import { expect, test } from 'vitest'
import { createGate } from './gate.js'
import type { GateOptions, Passage, Waiting } from './gate.js'

/** Time that passes only by sleeping. */
function gated(options: Partial<GateOptions> = {}) {
  let at = 0
  const waits: Waiting[] = []
  const gate = createGate({
    endpoint: 'host',
    concurrency: 4,
    now: () => at,
    sleep: (ms) => Promise.resolve((at += ms)),
    jitter: () => 0,
    onWait: (waiting) => waits.push(waiting),
    ...options,
  })
  const pass = async (tokens = 0, passage = gate.open()): Promise<Passage> => {
    await passage.enter(() => tokens)
    return passage
  }
  return { gate, pass, waits, now: () => at }
}

test('no more calls are under way than there are places, and the next one enters when one leaves', async () => {
  const { pass } = gated({ concurrency: 2 })
  const [first] = [await pass(), await pass()]
  let entered = false
  const third = pass().then((passage) => ((entered = true), passage))
  await Promise.resolve()
  expect(entered).toBe(false)
  first?.leave('fine')
  await third
  expect(entered).toBe(true)
})

test('a rate limit takes a fifth of the places once, and successes give them back one by one', async () => {
  const { gate, pass } = gated({ concurrency: 10 })
  const under = [await pass(), await pass()]
  for (const passage of under) passage.leave('limited')
  expect(gate.places()).toBe(8)
  for (let call = 0; call < 16; call++) (await pass()).leave('fine')
  expect(gate.places()).toBe(9)
})

test('what the endpoint asks one call to wait, all calls wait, and it is told until when', async () => {
  const { pass, waits, now } = gated()
  const first = await pass()
  first.leave('limited')
  void first.rest(30_000, 'the rate limit was reached', true)
  const before = now()
  await pass()
  expect([before, waits]).toEqual([
    30_000,
    [{ endpoint: 'host', cause: 'the rate limit was reached', untilMs: 30_000 }],
  ])
})

test('requests and tokens per minute are kept to, whatever was sent at once', async () => {
  const calls = gated({ rpm: 2, concurrency: 1 })
  const times: number[] = []
  for (let call = 0; call < 5; call++) {
    const passage = await calls.pass()
    times.push(calls.now())
    passage.leave('fine')
  }
  expect(times).toEqual([0, 0, 60_000, 60_000, 120_000])
  const tokens = gated({ tpm: 1_000, concurrency: 1 })
  for (const size of [600, 400, 500]) (await tokens.pass(size)).leave('fine')
  expect(tokens.now()).toBe(60_000)
})

test('an endpoint is down when three different calls have failed through; then one call at a time asks, ever more rarely', async () => {
  const { pass, waits, now } = gated()
  const verdicts: string[] = []
  for (let call = 0; call < 3; call++) {
    const passage = await pass()
    passage.leave('broken')
    verdicts.push(passage.failedThrough('it is gone'))
  }
  expect([verdicts, now()]).toEqual([['alone', 'alone', 'down'], 0])
  const probe = await pass()
  expect([now(), waits]).toEqual([5_000, [{ endpoint: 'host', cause: 'it is down (it is gone)', untilMs: null }]])
  probe.leave('broken')
  expect(probe.failedThrough('it is gone')).toBe('down')
  await pass(0, probe)
  expect(now()).toBe(15_000)
  probe.leave('fine')
  const next = await pass()
  next.leave('broken')
  expect([now(), next.failedThrough('again')]).toEqual([15_000, 'alone'])
})

test('a run does not wait for ever', async () => {
  const { pass } = gated({ concurrency: 1 })
  let verdict = ''
  const passage = await pass()
  for (let tries = 0; tries < 100 && verdict !== 'gone'; tries++) {
    passage.leave('broken')
    verdict = passage.failedThrough('it is gone')
    await pass(0, passage)
  }
  expect(verdict).toBe('gone')
})
