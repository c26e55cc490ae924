// Run before `npm start` and `npm test`: installs and builds what is missing or stale, and does nothing when all is fresh.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(
    `sora-bench needs Node 20.19 or later; this is ${process.version}. Install a current Node and try again.`,
  )
  process.exit(2)
}

/** SHA-256 over names and contents. */
function digest(files) {
  const hash = createHash('sha256')
  for (const file of files)
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update('\0')
  return hash.digest('hex')
}

function sources(folder) {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => join(folder, file))
    .toSorted()
}

/** Does the step unless its stamp says that it was done for this very input. */
function step(stamp, wanted, title, action) {
  const path = join(root, stamp)
  if (existsSync(path) && readFileSync(path, 'utf8') === wanted) return
  console.error(`${title} …`)
  action()
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, wanted)
}

// npm is called through the running npm where there is one, so that Windows and version managers work.
const npm = process.env.npm_execpath ? [process.execPath, [process.env.npm_execpath]] : ['npm', []]
const stdio = ['ignore', 2, 2]
step(
  'node_modules/.sora-bench',
  `${process.version} ${digest(['package.json', 'package-lock.json'])}`,
  'Installing the packages',
  () => {
    // npm ci would empty the folder that a link points to: somebody else's.
    const modules = join(root, 'node_modules')
    if (lstatSync(modules, { throwIfNoEntry: false })?.isSymbolicLink()) rmSync(modules)
    execFileSync(npm[0], [...npm[1], 'ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: root, stdio })
  },
)
const inputs = [
  'tsconfig.json',
  'tsconfig.build.json',
  'package-lock.json',
  'scripts/bench.ts',
  ...['harness', 'agents', 'environments', 'types'].flatMap(sources),
]
step('dist/.sora-bench', digest(inputs), 'Building', () => {
  rmSync(join(root, 'dist'), { recursive: true, force: true })
  execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json'], {
    cwd: root,
    stdio,
  })
})
