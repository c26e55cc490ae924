import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'

const IMPORT = /(?:\bfrom|\bimport|\brequire)\s*\(?\s*['"](\.{1,2}\/[^'"]+)['"]/g
const ENDINGS = ['', '.ts', '.mts', '.js', '.mjs', '.cjs', '.json', '/index.ts', '/index.js']

/** SHA-256 over a file, all that it imports by relative path, and what belongs to it `beside` that, wherever the folder lies. What it reads by itself is not seen. */
export function contentHash(file: string, beside: readonly string[] = []): string {
  const hash = createHash('sha256')
  const home = dirname(file)
  const files = [...withImports(file), ...beside]
    .map((path): [string, string] => [relative(home, path).replaceAll('\\', '/'), path])
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
  for (const [name, path] of files) hash.update(`${name}\0`).update(readFileSync(path)).update('\0')
  return hash.digest('hex')
}

function withImports(file: string): string[] {
  const found = new Set([file])
  // A set hands out what is added on the way.
  for (const path of found)
    for (const [, specifier = ''] of readFileSync(path, 'utf8').matchAll(IMPORT)) {
      const target = targetOf(resolve(dirname(path), specifier))
      if (target !== null) found.add(target)
    }
  return [...found]
}

/** `./physics.js` may stand for `physics.ts`, as TypeScript has it. */
function targetOf(path: string): string | null {
  const stem = path.replace(/\.([cm]?)js$/, '.$1ts')
  const candidates = [...ENDINGS.map((ending) => path + ending), stem]
  return candidates.find((candidate) => existsSync(candidate) && statSync(candidate).isFile()) ?? null
}
