import type { ReadResourceResult, Resource, ResourceTemplate } from '@modelcontextprotocol/sdk/types.js'
import type { LiveWorld } from '../world/live.js'
import { addressUri, parseAddress } from './address.js'

const JSON_TYPE = 'application/json'
const MARKDOWN = 'text/markdown'

export const TEMPLATES: ResourceTemplate[] = [
  {
    name: 'properties',
    uriTemplate: 'world://{uuid}/{tool}',
    description: 'The observable properties of a tool. To subscribe is to focus the tool.',
    mimeType: JSON_TYPE,
  },
  {
    name: 'signals',
    uriTemplate: 'world://{uuid}/signals/{after}',
    description: 'The log of an activity after a seq. Its doorbell is the subscription to world://{uuid}/signals.',
    mimeType: JSON_TYPE,
  },
]

export function listedDocuments(world: LiveWorld): Resource[] {
  return world.documents.map(({ id, summary, hash }) => ({
    uri: addressUri({ kind: 'document', id }),
    name: id,
    description: summary,
    mimeType: MARKDOWN,
    _meta: { hash },
  }))
}

/** Null for what does not exist. */
export function readResource(world: LiveWorld, uri: string): ReadResourceResult['contents'][number] | null {
  const address = parseAddress(uri)
  if (address === null) return null
  if (address.kind === 'signals') return json(uri, world.signalsAfter(address.uuid, address.after ?? 0))
  if (address.kind === 'properties') {
    const known = world.tools.some((tool) => tool.name === address.tool)
    return known ? json(uri, world.read(address.tool, address.uuid)) : null
  }
  const found = world.documents.find((document) => document.id === address.id)
  return found === undefined ? null : { uri, mimeType: MARKDOWN, text: found.text, _meta: { hash: found.hash } }
}

function json(uri: string, value: object): ReadResourceResult['contents'][number] {
  return { uri, mimeType: JSON_TYPE, text: JSON.stringify(value) }
}
