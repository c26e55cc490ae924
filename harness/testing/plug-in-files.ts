import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** Writes files, by their paths, into a new folder outside of the repository, and returns it. */
export function outside(files: Readonly<Record<string, string>> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'sora-bench-outside-'))
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  return folder
}

/** A world of one lamp, as the author of a plug-in would write it; each part can be replaced. */
export function lamp(
  parts: {
    name?: string
    imports?: string
    roles?: string
    setUp?: string
    tick?: string
    body?: string
    reached?: string
  } = {},
): string {
  return `import { defineEnvironment, z } from 'sora-bench'
${parts.imports ?? ''}
export default defineEnvironment({
  name: '${parts.name ?? 'lamp'}',
  version: '1',
  summary: 'A lamp.',
  params: z.object({ delayMs: z.int().min(1).max(9_000).default(1_000).describe('Until it glows (ms).') }),
  roles: () => ${parts.roles ?? "[{ name: 'reader', goal: 'Make sure that the lamp is ON.' }]"},
  setup({ params, artifact, after, document }) {
    ${parts.setUp ?? ''}
    const tool = artifact('lamp', 'Gives light.')
    const state = tool.property('state', z.enum(['OFF', 'ON']), 'OFF', 'Its light.')
    const lit = tool.signal('lamp.lit', z.strictObject({}), 'It glows.')
    const press = tool.operation(
      'press',
      { summary: 'Presses the switch.', behaviour: 'It glows soon.', completes: [{ signal: lit, effects: [state.becomes('ON')] }] },
      () => {
        ${parts.body ?? ''}
        after(params.delayMs, () => {
          ${parts.tick ?? ''}
          state.value = 'ON'
          lit.emit({})
        })
        return 'Pressed.'
      },
    )
    document('lamp_manual', {
      kind: 'manual', title: 'Lamp', summary: 'How to get light.', category: 'Home', version: '1', covers: [tool],
      role: 'active actuator', description: 'Gives light.', protocol: [],
    })
    return {
      reached: () => ${parts.reached ?? "state.value === 'ON'"},
      oracle: async (hand) => {
        await hand.operate(press)
        await hand.waitFor(lit)
      },
      saboteurs: {},
    }
  },
})
`
}
