import { z } from 'zod'
import type { Agent } from './agent.js'
import type { Surface } from './door.js'

/** A program and its arguments, run without a shell in `folder`, the URL of a folder (null: where the harness was started). */
export interface Program {
  command: readonly [string, ...string[]]
  folder: string | null
}

/** An agent that is a process of its own, in any language (docs/agents-of-your-own.md). */
export interface ExternalAgent<S extends Surface, P extends z.ZodObject> {
  name: string
  /** Raised whenever it behaves in another way. */
  version: string
  summary: string
  /** Which tools its MCP session has: its paradigm. */
  surface: S
  /** The program and its arguments, e.g. `['python3', 'mine.py']`. */
  command: readonly [string, ...string[]]
  /** The `import.meta.url` of the file that declares it: the program runs in that file's folder. */
  from?: string
  /** Told to the program in its first line. None by default. */
  params?: P
}

/** Makes an agent of a program. It asks its own model, if any: what that costs is what the program reports. */
export function defineExternalAgent<S extends Surface, P extends z.ZodObject = z.ZodObject<Record<string, never>>>({
  command,
  from,
  params,
  ...declared
}: ExternalAgent<S, P>): Agent {
  return {
    ...declared,
    usesModel: false,
    params: params ?? z.strictObject({}),
    program: { command, folder: from === undefined ? null : new URL('.', from).href },
    run: () => Promise.reject(new Error(`${declared.name} is a program: the harness starts it.`)),
  }
}
