import type { Surface } from '../../contract/index.js'
import type { SurfaceRecord } from '../door.js'
import { act } from './act.js'
import { asynchronous } from './async.js'
import { awaiting } from './await.js'
import { block } from './block.js'
import { poll } from './poll.js'
import { push } from './push.js'

// Each file declares its surface to the contract: without these lines a consumer's types would know no surface.
export type * from './act.js'
export type * from './async.js'
export type * from './await.js'
export type * from './block.js'
export type * from './poll.js'
export type * from './push.js'

/** Every surface that a file beside this one declares: the types miss whichever is not listed. */
export const surfaces: { readonly [S in Surface]: SurfaceRecord<S> } = {
  act,
  block,
  poll,
  await: awaiting,
  async: asynchronous,
  push,
}
