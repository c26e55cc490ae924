/** What `sora-bench` gives to authors: the contract, the kit, and the doors of the surfaces as types. */
export * from './contract/index.js'
export * from './kit/index.js'
export type { AsyncDoor, BlockDoor, PushDoor } from './door/surfaces/index.js'
