import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Artifact, Kit, OperationDeclaration, Property, World } from '../contract/index.js'
import { manualOf, sketch, stage } from './fixtures/stage.js'

interface Parts {
  kit: Kit<Record<string, never>>
  box: Artifact
  count: Property<number>
  operate: (declaration: Partial<OperationDeclaration<z.ZodType>>) => void
}

/** What is said of a world that is right but for what `spoil` does. */
function complaint(spoil: (parts: Parts) => Partial<World> | void): string {
  const environment = sketch((kit) => {
    const box = kit.artifact('box', '')
    const count = box.property('count', z.int().min(0).max(9), 0, '')
    kit.document('manual', manualOf(box))
    const operate: Parts['operate'] = (declaration) =>
      void box.operation('go', { summary: '', behaviour: '', ...declaration }, () => '')
    return spoil({ kit, box, count, operate })
  })
  try {
    stage(environment)
    return 'none'
  } catch (error) {
    return String(error).replace('WorldError: ', '')
  }
}

test('a world that contradicts itself is not opened, and the sentence names the thing', () => {
  const mode = z.enum(['A', 'B'])
  const sentences = [
    complaint(({ operate }) => operate({})),
    complaint(({ kit }) => void kit.artifact('box', '')),
    complaint(({ box }) => void box.property('count', z.int(), 0, '')),
    complaint(({ box }) => void box.property('depth', z.int().min(1), 0, '')),
    complaint(({ operate }) => {
      operate({})
      operate({})
    }),
    complaint(({ kit }) => kit.document('manual', manualOf())),
    complaint(({ kit }) => void kit.artifact('two words', '')),
    complaint(({ box }) => void box.signal('a/b', z.null(), '')),
    complaint(({ box, kit }) => {
      box.signal('a.b', z.null(), '')
      kit.artifact('other', '').signal('a.b', z.null(), '')
    }),
    complaint(({ operate }) => operate({ requires: [{ tool: 'box', property: 'depth', op: 'is', value: 1 }] })),
    complaint(({ operate, count }) => operate({ requires: [count.is(10)] })),
    complaint(({ operate, box }) => operate({ requires: [box.property('mode', mode, 'A', '').below(1)] })),
    complaint(({ operate, count }) => operate({ effects: [count.becomes(0.5)] })),
    complaint(({ operate, count }) => operate({ effects: [count.rises({ by: Number.NaN })] })),
    complaint(({ box, count }) => void box.signal('full', z.null(), '', { when: [count.is(-1)] })),
    complaint(({ operate }) => {
      const signal = { tool: 'box', name: 'gone', emit: () => {} }
      operate({ completes: [{ signal, effects: [] }] })
    }),
    complaint(({ operate }) => operate({ args: z.string() })),
    complaint(({ operate }) => operate({ args: z.strictObject({ uuid: z.string() }) })),
    complaint(({ operate }) => operate({ placeholders: { code: '<CODE>' } })),
    complaint(({ kit }) => {
      kit.artifact('other', '').operation('go', { summary: '', behaviour: '' }, () => '')
    }),
    complaint(({ kit }) => kit.document('menu', { kind: 'plain', title: '', summary: '', covers: ['box'], text: '' })),
    complaint(({ kit }) => void kit.violation('crash', '')),
    complaint(() => ({ saboteurs: { crash: async () => {} } })),
    complaint(({ kit }) => kit.violation('crash', '').commit()),
  ]
  expect(sentences).toEqual([
    'none',
    'This world has two of the tool `box`.',
    '`box` has two of the property `count`.',
    "`depth` of `box` cannot be 0: it is outside of the property's type.",
    '`box` has two of the operation `go`.',
    'This world has two of the document `manual`.',
    'The tool `two words` must fit /^[a-zA-Z0-9_-]{1,64}$/.',
    'The signal `a/b` of `box` must fit /^[a-zA-Z0-9_.-]{1,64}$/.',
    'Both `box` and `other` have a signal `a.b`.',
    'The operation `go` of `box` names `depth` of `box`, which does not exist.',
    'The operation `go` of `box` compares `count` with 10, which it can never be.',
    'The operation `go` of `box` compares `mode` with 1, which it can never be.',
    'The operation `go` of `box` makes `count` 0.5, which it can never be.',
    'The operation `go` of `box` makes `count` rises by no number.',
    'The signal `full` compares `count` with -1, which it can never be.',
    'The operation `go` of `box` completes with `gone` of `box`, which is no signal of this world.',
    'The arguments of `go` of `box` are no z.strictObject.',
    'The operation `go` of `box` has an argument `uuid`: that name belongs to the door.',
    'The operation `go` of `box` has a placeholder for `code`, which is none of its arguments.',
    'The tool `other` has operations, but no manual covers it.',
    'The plain document `menu` covers the tool `box`: only a manual may.',
    'The violation `crash` has no saboteur.',
    'The saboteur `crash` does no violation of this world.',
    'The violation `crash` was committed during setup: nothing happens in a world before time begins.',
  ])
})
