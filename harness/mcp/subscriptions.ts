import type { LiveWorld } from '../world/live.js'
import { addressUri, parseAddress } from './address.js'
import type { Exchange } from './exchange.js'

/** Beside a doorbell's URI: its place in the order of sending, and how far the log went when a log's doorbell left. */
export const ORDER = 'sora-bench/order'
export const SEQ = 'sora-bench/seq'

export interface Subscriptions {
  /** False for what cannot be followed. To follow a tool's properties is to focus it. */
  add(uri: string): boolean
  remove(uri: string): void
  close(): void
}

/** What one client follows, and the doorbells that it therefore gets. */
export function createSubscriptions(
  world: LiveWorld,
  exchange: Exchange,
  notify: (params: { uri: string; _meta: Record<string, unknown> }) => Promise<void>,
): Subscriptions {
  const followed = new Set<string>()
  const told = new Map<string, number>()

  const detach = exchange.attach(({ activity, tool }) => {
    const uri = addressUri(
      tool === null ? { kind: 'signals', uuid: activity, after: null } : { kind: 'properties', uuid: activity, tool },
    )
    if (!followed.has(uri)) return
    const meta: Record<string, unknown> = { [ORDER]: exchange.order() }
    if (tool === null) {
      const before = told.get(uri) ?? 0
      const seq = world.signalsAfter(activity, before).at(-1)?.seq ?? before
      told.set(uri, seq)
      meta[SEQ] = seq
    }
    // A client that has gone needs no doorbell.
    notify({ uri, _meta: meta }).catch(() => {})
  })

  function remove(uri: string): void {
    const address = parseAddress(uri)
    if (!followed.delete(uri)) return
    if (address?.kind === 'properties') world.unfocus(address.uuid, address.tool)
  }

  return {
    add(uri) {
      const address = parseAddress(uri)
      if (address?.kind === 'properties' && world.tools.some((tool) => tool.name === address.tool)) {
        world.focus(address.uuid, address.tool)
      } else if (address?.kind !== 'signals' || address.after !== null) {
        return false
      }
      followed.add(uri)
      return true
    },
    remove,
    close() {
      detach()
      for (const uri of followed) remove(uri)
    },
  }
}
