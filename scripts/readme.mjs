// Puts what `npm start` prints into the README: `npm run readme`.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const out = join(mkdtempSync(join(tmpdir(), 'sora-bench-')), 'run')
const command = ['dist/harness/cli/bin.js', 'run', 'default', '--traces', 'none', '--out', out]
const printed = execFileSync(process.execPath, command, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
const text = readFileSync('README.md', 'utf8')
const shown = `<!-- npm start -->\n\`\`\`\n${printed.trimEnd()}\n\`\`\`\n<!-- end -->`
writeFileSync(
  'README.md',
  text.replace(/<!-- npm start -->[\s\S]*?<!-- end -->/, () => shown),
)
