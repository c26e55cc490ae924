import type { Surface } from '../../contract/index.js'
import type { SurfaceRecord } from '../surface.js'
import { act } from './act.js'
import { asynchronous } from './async.js'
import { awaiting } from './await.js'
import { block } from './block.js'
import { poll } from './poll.js'
import { push } from './push.js'

export type { AsyncDoor } from './async.js'
export type { BlockDoor } from './block.js'
export type { PushDoor } from './push.js'

/** Every surface that a file beside this one declares: the types miss whichever is not listed. */
export const surfaces: { readonly [S in Surface]: SurfaceRecord<S> } = {
  act,
  block,
  poll,
  await: awaiting,
  async: asynchronous,
  push,
}
