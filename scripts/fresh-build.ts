import { execFileSync } from 'node:child_process'

/** Before any test: those that start the built command mean that of these sources, however vitest was called. */
export default function freshBuild(): void {
  execFileSync(process.execPath, ['scripts/setup.mjs'], { stdio: 'inherit' })
}
