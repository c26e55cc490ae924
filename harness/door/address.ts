/** What a resource of a world is called: see docs/design.md#worlds. An activity's uuid stands in the URI of what it alone may follow. */
export type Address =
  | { kind: 'properties'; uuid: string; tool: string }
  | { kind: 'signals'; uuid: string; after: number | null }
  | { kind: 'document'; id: string }

export function addressUri(address: Address): string {
  if (address.kind === 'document') return `world://documents/${encodeURIComponent(address.id)}`
  const host = `world://${encodeURIComponent(address.uuid)}`
  if (address.kind === 'properties') return `${host}/${encodeURIComponent(address.tool)}`
  return address.after === null ? `${host}/signals` : `${host}/signals/${address.after}`
}

const shape = /^world:\/\/(?<host>[^/]+)\/(?<path>[^/]+)(?:\/(?<after>\d+))?$/

/** Null for what is no address of a world. */
export function parseAddress(uri: string): Address | null {
  const { host, path, after } = shape.exec(uri)?.groups ?? {}
  if (host === undefined || path === undefined) return null
  const name = decoded(path)
  const uuid = decoded(host)
  if (name === null || uuid === null) return null
  if (path === 'signals') return { kind: 'signals', uuid, after: after === undefined ? null : Number(after) }
  if (after !== undefined) return null
  return host === 'documents' ? { kind: 'document', id: name } : { kind: 'properties', uuid, tool: name }
}

function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part)
  } catch {
    return null
  }
}
