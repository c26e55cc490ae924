import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Program } from '../../contract/index.js'

/** How much a program may write in a trial. */
export const MAX_LINE_BYTES = 65_536
export const MAX_LINES = 10_000
export const MAX_BYTES = 8_388_608

/** A whole line, or what is wrong: one that is too long, or too much of everything. */
export type Piece = { kind: 'line'; text: string } | { kind: 'long' } | { kind: 'flood' }

/** Cuts a stream of bytes into lines and keeps no more than one of them. After `flood` it drops everything. */
export function createLineSplitter(found: (piece: Piece) => void) {
  let rest: Buffer[] = []
  let size = 0
  let bytes = 0
  let lines = 0
  let overflowed = false

  function finish(): void {
    const text = Buffer.concat(rest).toString('utf8').trim()
    const isLong = size > MAX_LINE_BYTES
    rest = []
    size = 0
    if (!isLong && text === '') return
    lines += 1
    if (lines > MAX_LINES) return flood()
    found(isLong ? { kind: 'long' } : { kind: 'line', text })
  }

  function flood(): void {
    overflowed = true
    rest = []
    found({ kind: 'flood' })
  }

  function keep(part: Buffer): void {
    size += part.length
    if (size <= MAX_LINE_BYTES) rest.push(part)
    else rest = []
  }

  return {
    take(chunk: Buffer): void {
      if (overflowed) return
      bytes += chunk.length
      if (bytes > MAX_BYTES) return flood()
      let from = 0
      for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, from)) {
        keep(chunk.subarray(from, at))
        finish()
        if (overflowed) return
        from = at + 1
      }
      keep(chunk.subarray(from))
    },
    end(): void {
      if (!overflowed) finish()
    },
  }
}

/** How a program ended, or why it never began. */
export type ChildEnd = { kind: 'exited'; code: number | null; signal: string | null } | { kind: 'failed'; why: string }

/** A program that runs, with its standard streams. */
export type Child = ReturnType<typeof startChild>

const COMPLAINT_BYTES = 4_096
const EXIT_GRACE_MS = 1_000
const running = new Set<number>()
/** By these a process ends without a word to those who listen for its exit. */
const ENDINGS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Starts a program in a process group of its own. `heard` gets what it writes, and `ended`, once, its end after all of that. */
export function startChild(
  { command: [program, ...args], folder }: Program,
  { heard, ended }: { heard: (piece: Piece) => void; ended: (end: ChildEnd) => void },
) {
  const child = spawn(program, args, {
    ...(folder !== null && { cwd: fileURLToPath(folder) }),
    stdio: 'pipe',
    detached: true,
    windowsHide: true,
  })
  const { pid } = child
  let complaint = Buffer.alloc(0)
  let isAlive = true
  let gone: () => void = () => {}
  const goneAtLast = new Promise<void>((resolve) => (gone = resolve))
  if (pid !== undefined) killWithParent(pid)

  function end(how: ChildEnd): void {
    if (!isAlive) return
    isAlive = false
    if (pid !== undefined) stopWatching(pid)
    ended(how)
    gone()
  }

  const splitter = createLineSplitter(heard)
  child.stdout.on('data', (chunk: Buffer) => splitter.take(chunk))
  child.stdout.on('end', () => splitter.end())
  child.stderr.on('data', (chunk: Buffer) => {
    complaint = Buffer.concat([complaint, chunk]).subarray(-COMPLAINT_BYTES)
  })
  // Who has closed its standard input does not want to hear more.
  child.stdin.on('error', () => {})
  child.on('error', (error) => end({ kind: 'failed', why: error.message }))
  child.on('exit', () => {
    killGroup(pid)
    // Who has left the group may still hold the streams; what was written before is read long since.
    setTimeout(() => {
      child.stdout.destroy()
      child.stderr.destroy()
    }, EXIT_GRACE_MS).unref()
  })
  child.on('close', (code, signal) => end({ kind: 'exited', code, signal }))

  return {
    send: (message: object) => void (child.stdin.writable && child.stdin.write(`${JSON.stringify(message)}\n`)),
    /** No more is sent. */
    hush: () => void child.stdin.end(),
    /** The last that it wrote to its standard error. */
    complaint: () => complaint.toString('utf8').trim(),
    get isAlive(): boolean {
      return isAlive
    },
    /** Kills it together with all that it has started, and returns when it is gone. */
    kill(): Promise<void> {
      if (isAlive) killGroup(pid)
      return goneAtLast
    },
  }
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // All of them are gone.
  }
}

/** Even where this process ends in the middle of a trial, or is told to, no child process is left running. */
function killWithParent(pid: number): void {
  if (running.size === 0) watchEnd('on')
  running.add(pid)
}

function stopWatching(pid: number): void {
  running.delete(pid)
  if (running.size === 0) watchEnd('off')
}

function watchEnd(how: 'on' | 'off'): void {
  process[how]('exit', killAll)
  for (const signal of ENDINGS) process[how](signal, endedBy)
}

function killAll(): void {
  for (const left of running) killGroup(left)
}

/** Other listeners of the signal decide what it does; without any, the default applies. */
function endedBy(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 1) return
  killAll()
  process.off(signal, endedBy)
  process.kill(process.pid, signal)
}
