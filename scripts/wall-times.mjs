// The median real time of a trial, per agent and case of a run: `node scripts/wall-times.mjs results/RUN [PART OF AN ID]`.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const [run = '', part = ''] = process.argv.slice(2)
const groups = new Map()
for (const line of readFileSync(join(run, 'timing.jsonl'), 'utf8').trim().split('\n')) {
  const { id, wallMs } = JSON.parse(line)
  if (!id.includes(part)) continue
  const group = id.split('/').slice(0, 2).join('/')
  groups.set(group, [...(groups.get(group) ?? []), wallMs])
}
for (const [group, times] of groups) {
  times.sort((a, b) => a - b)
  console.log(`${times[Math.floor(times.length / 2)].toFixed(1).padStart(10)} ms  n ${times.length}  ${group}`)
}
