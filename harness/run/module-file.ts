import { resolve } from 'node:path'
import * as zod from 'zod'
import * as contract from '../define/index.js'

/**
 * Loads a user's TypeScript or JavaScript file without a build step, by `jiti`. What it imports as `sora-bench` and `zod`
 * is what runs here: one `Refusal`, one `UserError`, one zod, wherever the file lies. Nothing of it is cached on disk.
 */
export async function importModule(path: string): Promise<object> {
  const { createJiti } = await import('jiti')
  const jiti = createJiti(import.meta.url, {
    fsCache: false,
    interopDefault: false,
    virtualModules: { 'sora-bench': contract, zod, 'zod/v4': zod },
  })
  return jiti.import<object>(resolve(path))
}

/** The first line of what a file failed with, and the place where that is known. */
export function causeOf(error: unknown, file: string): string {
  if (!(error instanceof Error)) return sentence(String(error))
  const [first = '', ...rest] = error.message.split('\n').map((line) => line.trim())
  const importer = rest[0] === 'Require stack:' ? rest[1]?.replace(/^- /, '') : undefined
  if (importer !== undefined) return sentence(importer === file ? first : `${first}, imported by ${importer}`)
  const parsed = rest.find((line) => /:\d+:\d+$/.test(line))
  const thrown = error.stack?.split(`${file}:`)[1]?.match(/^\d+/)?.[0]
  const place = parsed ?? (thrown === undefined ? undefined : `${file}:${thrown}`)
  return sentence(place === undefined ? first : `${first} (${place})`)
}

const sentence = (text: string): string => (text.endsWith('.') ? text : `${text}.`)
