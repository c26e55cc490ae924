import type { Doorbell } from '../world/live.js'

/** What lies between a world and one client, as far as doorbells are concerned. */
export interface Line {
  /** The doorbells of one step leave. */
  carry(bells: readonly Doorbell[]): void
  /** What is under way never arrives. */
  close(): void
}

/** The client's end of a line. */
export interface LineEnd {
  /** A doorbell arrives. */
  ring(bell: Doorbell): void
  /** All that the client follows now. */
  followed(): Doorbell[]
}
export type OpenLine = (end: LineEnd) => Line

/** Every doorbell arrives at once, and in order. */
export const perfectLine: OpenLine = (end) => ({
  carry(bells) {
    for (const bell of bells) end.ring(bell)
  },
  close() {},
})
