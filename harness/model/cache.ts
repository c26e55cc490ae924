/** A bounded map by text. What was used since the last turn of generations survives the next. */
export interface TextCache<V> {
  get(text: string, make: (text: string) => V): V
}

/** Holds at most `2 × generation` entries. */
export function createTextCache<V>(generation: number): TextCache<V> {
  let young = new Map<string, V>()
  let old = new Map<string, V>()
  return {
    get(text, make) {
      const hit = young.get(text)
      if (hit !== undefined) return hit
      const found = old.get(text)
      const value = found ?? make(text)
      if (young.size >= generation) {
        old = young
        young = new Map()
      }
      // A slice would keep the whole prompt that it was cut from alive.
      young.set(detached(text), value)
      return value
    },
  }
}

const detached = (text: string): string => Buffer.from(text, 'utf16le').toString('utf16le')
