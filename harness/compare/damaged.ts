import { UserError } from '../define/index.js'

export const damaged = (folder: string, what: string): UserError =>
  new UserError(`The baseline "${folder}" is damaged (${what}). Restore it, or make it again with \`baseline set\`.`)
