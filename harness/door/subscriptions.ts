import type { Doorbell, LiveWorld } from '../world/live.js'
import { addressUri, parseAddress } from './address.js'
import type { Exchange } from './exchange.js'
import type { OpenLine } from './line.js'

/** Beside a doorbell's URI: its place in the order of sending, and how far the log went when a log's doorbell left. */
export const ORDER = 'sora-bench/order'
export const SEQ = 'sora-bench/seq'

export interface Subscriptions {
  /** False for what cannot be followed. To follow a tool's properties is to focus it. */
  add(uri: string): boolean
  remove(uri: string): void
  close(): void
}

/** What one client follows, and the doorbells that it therefore gets, over its line. */
export function createSubscriptions(options: {
  world: LiveWorld
  exchange: Exchange
  openLine: OpenLine
  notify: (params: { uri: string; _meta: Record<string, unknown> }) => Promise<void>
}): Subscriptions {
  const { world, exchange, openLine, notify } = options
  const followed = new Map<string, Doorbell>()
  const told = new Map<string, number>()

  function ring(bell: Doorbell): void {
    const uri = uriOf(bell)
    if (!followed.has(uri)) return
    const meta: Record<string, unknown> = { [ORDER]: exchange.order() }
    if (bell.tool === null) {
      const before = told.get(uri) ?? 0
      const seq = world.signalsAfter(bell.activity, before).at(-1)?.seq
      // Without news it delivers nothing.
      if (seq !== undefined) {
        told.set(uri, seq)
        meta[SEQ] = seq
      }
    }
    // A client that has gone needs no doorbell.
    notify({ uri, _meta: meta }).catch(() => {})
  }

  const line = openLine({ ring, followed: () => [...followed.values()] })
  const detach = exchange.attach((bells) => line.carry(bells.filter((bell) => followed.has(uriOf(bell)))))

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
        followed.set(uri, { activity: address.uuid, tool: address.tool })
        return true
      }
      if (address?.kind !== 'signals' || address.after !== null) return false
      followed.set(uri, { activity: address.uuid, tool: null })
      return true
    },
    remove,
    close() {
      detach()
      line.close()
      for (const uri of followed.keys()) remove(uri)
    },
  }
}

function uriOf({ activity, tool }: Doorbell): string {
  return addressUri(
    tool === null ? { kind: 'signals', uuid: activity, after: null } : { kind: 'properties', uuid: activity, tool },
  )
}
