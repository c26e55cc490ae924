// What the harness measures, and the picture of its rooms: `npm run house` prints the one and draws the other.
import { writeFileSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isCore, readSources } from '../harness/testing/architecture.js'
import { drawRooms } from './rooms.js'

/** What the harness without its tests, their fixtures and `testing` consists of. */
export interface House {
  files: number
  medianLines: number
  longest: { file: string; lines: number }
  fullest: { folder: string; files: number }
  /** Neither blank nor a comment. */
  codeLines: number
}

export function measureHouse(sources: ReadonlyMap<string, string>): House {
  const core = [...sources].filter(([file]) => file.startsWith('harness/') && isCore(file))
  const lengths = core.map(([file, source]) => ({ file, lines: source.trimEnd().split('\n').length }))
  const byLength = lengths.toSorted((a, b) => a.lines - b.lines)
  const folders = new Map<string, number>()
  for (const [file] of core) folders.set(posix.dirname(file), (folders.get(posix.dirname(file)) ?? 0) + 1)
  const byNumber = [...folders].toSorted(([, a], [, b]) => a - b)
  const [folder, files] = byNumber.at(-1) ?? ['', 0]
  return {
    files: core.length,
    medianLines: byLength[Math.floor(byLength.length / 2)]?.lines ?? 0,
    longest: byLength.at(-1) ?? { file: '', lines: 0 },
    fullest: { folder, files },
    codeLines: core.reduce((sum, [, source]) => sum + codeLinesOf(source), 0),
  }
}

/** A comment begins its line, as the formatter leaves it. */
export function codeLinesOf(source: string): number {
  let lines = 0
  let isComment = false
  for (const line of source.split('\n').map((each) => each.trim())) {
    isComment ||= line.startsWith('/*')
    if (line !== '' && !isComment && !line.startsWith('//')) lines += 1
    if (line.endsWith('*/')) isComment = false
  }
  return lines
}

const LIMITS = { files: 300, medianLines: 90, linesOfOne: 300, filesOfFolder: 25, codeLines: 29_000 }

/** What is too much, or too little, one sentence each. */
export function beyondLimits({ files, medianLines, longest, fullest, codeLines }: House): string[] {
  return [
    ...(files > LIMITS.files ? [`There are ${files} files, more than ${LIMITS.files}.`] : []),
    ...(medianLines < LIMITS.medianLines
      ? [`The median file has ${medianLines} lines, fewer than ${LIMITS.medianLines}.`]
      : []),
    ...(longest.lines > LIMITS.linesOfOne
      ? [`${longest.file} has ${longest.lines} lines, more than ${LIMITS.linesOfOne}.`]
      : []),
    ...(fullest.files > LIMITS.filesOfFolder
      ? [`${fullest.folder} has ${fullest.files} files, more than ${LIMITS.filesOfFolder}.`]
      : []),
    ...(codeLines > LIMITS.codeLines ? [`There are ${codeLines} lines of code, more than ${LIMITS.codeLines}.`] : []),
  ]
}

const root = fileURLToPath(new URL('..', import.meta.url))

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const sources = readSources(root)
  writeFileSync(`${root}docs/images/rooms.svg`, drawRooms(sources))
  const house = measureHouse(sources)
  const { files, medianLines, longest, fullest, codeLines } = house
  process.stdout.write(
    `files                   ${files}\nmedian lines            ${medianLines}\nlongest                 ${longest.lines}  ${longest.file}\n` +
      `most files in a folder  ${fullest.files}  ${fullest.folder}\nlines of code           ${codeLines}\n` +
      `(harness without tests, fixtures and testing; lines of code are neither blank nor comments)\n`,
  )
  for (const sentence of beyondLimits(house)) process.stdout.write(`${sentence}\n`)
}
