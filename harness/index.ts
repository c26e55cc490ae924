/** What `sora-bench` gives to authors: the contract and the kit. */
export * from './contract/index.js'
export * from './kit/index.js'
