import { expect, test } from 'vitest'
import { artifactsOf } from './artifacts.js'
import { FIVE_CYCLES, cyclesOf } from './fixtures/paper.js'
import type { Interaction } from './interaction.js'
import { interactionJson, printInteraction, reconstruction } from './print.js'

const paper: Interaction = {
  role: 'operator',
  activity: 'uuid',
  tools: ['x', 'y', 'z'],
  cycles: cyclesOf(FIVE_CYCLES),
  replayKey: { cycles: [{ at: 5, signals: [{ seq: 3, at: 4 }], calls: [6, 7] }] },
}

test('the paper’s example is printed as the paper writes it', () => {
  expect(printInteraction(paper).join('\n')).toMatchInlineSnapshot(`
    "Activity uuid of operator
    k = 5, μ = 4, n = 3, m = 11, (m_1, …, m_k) = (2, 4, 3, 0, 2)

    T = [ T1 T2 T3 ]
      T1 = x
      T2 = y
      T3 = z

    h = [ (u1, v1), (u2, v2), (u3, v3), (u4, v4), (u5, v5) ]
      u1 = "u1"
      v1 = "v1"
      u2 = "u2"
      v2 = "v2"
      u3 = "u3"
      v3 = "v3"
      u4 = "u4"
      v4 = "v4"
      u5 = "u5"
      v5 = "v5"

    S1 = ⎡ 0 1 0 ⎤
         ⎣ 1 0 0 ⎦
         ⎡ 1 0 0 ⎤
    S2 = ⎢ 0 0 1 ⎥
         ⎢ 0 1 0 ⎥
         ⎣ 0 1 0 ⎦
         ⎡ 0 0 1 ⎤
    S3 = ⎢ 1 0 0 ⎥
         ⎣ 0 1 0 ⎦
    S4 = [ ] (0 × 3)
    S5 = ⎡ 1 0 0 ⎤
         ⎣ 0 1 0 ⎦

    Σ, 5 × 4 × 3:
      ⎡ 0 1 0 ⎤ ⎡ 1 0 0 ⎤ ⎡ 0 0 1 ⎤ ⎡ 0 0 0 ⎤ ⎡ 1 0 0 ⎤
      ⎢ 1 0 0 ⎥ ⎢ 0 0 1 ⎥ ⎢ 1 0 0 ⎥ ⎢ 0 0 0 ⎥ ⎢ 0 1 0 ⎥
      ⎢ 0 0 0 ⎥ ⎢ 0 1 0 ⎥ ⎢ 0 1 0 ⎥ ⎢ 0 0 0 ⎥ ⎢ 0 0 0 ⎥
      ⎣ 0 0 0 ⎦ ⎣ 0 1 0 ⎦ ⎣ 0 0 0 ⎦ ⎣ 0 0 0 ⎦ ⎣ 0 0 0 ⎦

    J = [ (2, 1), (1, 3, 2, 2), (3, 1, 2), (), (1, 2) ]

        ⎡ 2 1 0 0 ⎤
        ⎢ 1 3 2 2 ⎥
    σ = ⎢ 3 1 2 0 ⎥
        ⎢ 0 0 0 0 ⎥
        ⎣ 1 2 0 0 ⎦

        ⎡ θ1,1 θ1,2    0    0 ⎤
        ⎢ θ2,1 θ2,2 θ2,3 θ2,4 ⎥
    θ = ⎢ θ3,1 θ3,2 θ3,3    0 ⎥
        ⎢    0    0    0    0 ⎥
        ⎣ θ5,1 θ5,2    0    0 ⎦

        ⎡ T2(θ1,1) T1(θ1,2)        0        0 ⎤
        ⎢ T1(θ2,1) T3(θ2,2) T2(θ2,3) T2(θ2,4) ⎥
    ρ = ⎢ T3(θ3,1) T1(θ3,2) T2(θ3,3)        0 ⎥
        ⎢        0        0        0        0 ⎥
        ⎣ T1(θ5,1) T2(θ5,2)        0        0 ⎦

    q̂ = [ q1 q2 q3 q4 q5 q6 q7 q8 q9 q10 q11 ]
      q1 = θ1,1 = "q1,1"
      q2 = θ1,2 = "q1,2"
      q3 = θ2,1 = "q2,1"
      q4 = θ2,2 = "q2,2"
      q5 = θ2,3 = "q2,3"
      q6 = θ2,4 = "q2,4"
      q7 = θ3,1 = "q3,1"
      q8 = θ3,2 = "q3,2"
      q9 = θ3,3 = "q3,3"
      q10 = θ5,1 = "q5,1"
      q11 = θ5,2 = "q5,2"
    r̂ = [ r1 r2 r3 r4 r5 r6 r7 r8 r9 r10 r11 ]
      r1 = T2(θ1,1) = "T2(q1,1)"
      r2 = T1(θ1,2) = "T1(q1,2)"
      r3 = T1(θ2,1) = "T1(q2,1)"
      r4 = T3(θ2,2) = "T3(q2,2)"
      r5 = T2(θ2,3) = "T2(q2,3)"
      r6 = T2(θ2,4) = "T2(q2,4)"
      r7 = T3(θ3,1) = "T3(q3,1)"
      r8 = T1(θ3,2) = "T1(q3,2)"
      r9 = T2(θ3,3) = "T2(q3,3)"
      r10 = T1(θ5,1) = "T1(q5,1)"
      r11 = T2(θ5,2) = "T2(q5,2)"

    Replay key (virtual ms): when a cycle began, the signals it took in, and its calls
      1: 5; seq 3 at 4; 6 7

    structural hash  3ac548bd46f22170a4a9a25e72b01dc722140adfcfa6d75054500be5974a1b2c
    full hash        801cbce7e38a0d7d7f365d14d73e79781c90441839990a608a167f481c92c26c"
  `)
})

test('an interaction without a call says so in every form, and a trace’s text is no escape for a terminal', () => {
  const lines = printInteraction({
    ...paper,
    role: 'op\u001B[31m',
    tools: [],
    cycles: [{ u: '\u001B[2J\n'.repeat(100), v: null, calls: [] }],
    replayKey: { cycles: [{ at: 0, signals: [], calls: [] }] },
  })
  expect(lines.filter((line) => line.startsWith('T =') || line.startsWith('σ =') || line.startsWith('J ='))).toEqual([
    'T = [ ]',
    'J = [ () ]',
    'σ = [ ] (1 × 0)',
  ])
  expect(lines.join('')).not.toMatch(/\p{Cc}/u)
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(200)
})

test('as data it has the same names, and everything', () => {
  const data = interactionJson(paper)
  expect(JSON.parse(JSON.stringify(data))).toEqual(data)
  expect(data).toMatchObject({
    k: 5,
    mu: 4,
    n: 3,
    m: 11,
    counts: [2, 4, 3, 0, 2],
    T: ['x', 'y', 'z'],
    J: FIVE_CYCLES,
    replayKey: paper.replayKey,
  })
  expect(Object.keys(data ?? {})).toEqual(
    'role activity k mu n m counts T h S Sigma J sigma theta rho q r replayKey structural full'.split(' '),
  )
})

test('what the artifacts give back is the interaction, and the first place where it is not is named', () => {
  const artifacts = artifactsOf(paper.cycles)
  expect(reconstruction(paper)).toEqual({
    agrees: true,
    sentence: 'Activity uuid of operator: h, σ, θ and ρ come back from h, σ, q̂ and r̂ (k = 5, m = 11).',
  })
  const { r, h, sigma } = artifacts
  const differing = [
    reconstruction(paper, { ...artifacts, r: r.map((result, p) => (p === 8 ? 'another' : result)) }),
    reconstruction(paper, { ...artifacts, h: [...h, { u: 'u6', v: 'v6' }], sigma: [...sigma, [0, 0, 0, 0]] }),
  ]
  expect(differing).toEqual([
    { agrees: false, sentence: 'Activity uuid of operator: ρ(3, 3) is "T2(q3,3)" in the trace, "another" rebuilt.' },
    { agrees: false, sentence: 'Activity uuid of operator: h(6, 1) is nothing in the trace, "u6" rebuilt.' },
  ])
})
