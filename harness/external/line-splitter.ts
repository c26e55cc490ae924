/** How much a program may write in a trial. */
export const MAX_LINE_BYTES = 65_536
export const MAX_LINES = 10_000
export const MAX_BYTES = 8_388_608

/** A whole line, or what is wrong: one that is too long, or too much of everything. */
export type Piece = { kind: 'line'; text: string } | { kind: 'long' } | { kind: 'flood' }

/** Cuts a stream of bytes into lines and keeps no more than one of them. After `flood` it is deaf. */
export function createLineSplitter(found: (piece: Piece) => void): { take(chunk: Buffer): void; end(): void } {
  let rest: Buffer[] = []
  let size = 0
  let bytes = 0
  let lines = 0
  let isDeaf = false

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
    isDeaf = true
    rest = []
    found({ kind: 'flood' })
  }

  function keep(part: Buffer): void {
    size += part.length
    if (size <= MAX_LINE_BYTES) rest.push(part)
    else rest = []
  }

  return {
    take(chunk) {
      if (isDeaf) return
      bytes += chunk.length
      if (bytes > MAX_BYTES) return flood()
      let from = 0
      for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, from)) {
        keep(chunk.subarray(from, at))
        finish()
        if (isDeaf) return
        from = at + 1
      }
      keep(chunk.subarray(from))
    },
    end() {
      if (!isDeaf) finish()
    },
  }
}
