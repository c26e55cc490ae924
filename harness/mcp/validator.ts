import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv'

/** Shared by all clients and servers: making one takes longer than everything else of a connection. */
export const validator = new AjvJsonSchemaValidator()
