import type { ChatModel } from './chat.js'
import { createClient, exchange, exchangeInProcess, inProcessClient } from './client.js'
import type { EndpointOptions } from './client.js'
import { readCompletion } from './completion.js'
import { wireRequest } from './wire.js'

/** One model behind an endpoint that speaks Chat Completions. */
export interface ChatEndpointOptions extends EndpointOptions {
  /** Reasoning models refuse one: none is sent by default. */
  temperature?: number
}

/** Asks over HTTP, and retries what is the infrastructure's fault (DESIGN §7). */
export function openEndpoint(options: ChatEndpointOptions): ChatModel {
  const { name, temperature = null } = options
  const client = createClient(options)
  return {
    name,
    async complete(asked) {
      const wired = wireRequest(name, asked, temperature)
      const { value, ...how } = await exchange(options, {
        request: (signal) => client.chat.completions.create(wired, { signal }),
        read: (body) => readCompletion(body, wired),
        what: 'completion',
      })
      return { ...value, ...how }
    },
  }
}

/** The same client on a `fetch` of this process. */
export function openInProcess(options: { name: string; fetch: typeof fetch }): ChatModel {
  const { name } = options
  const client = inProcessClient(options.fetch)
  return {
    name,
    async complete(asked) {
      const wired = wireRequest(name, asked, null)
      const { value, ...how } = await exchangeInProcess(name, {
        request: () => client.chat.completions.create(wired),
        read: (body) => readCompletion(body, wired),
        what: 'completion',
      })
      return { ...value, ...how }
    },
  }
}
