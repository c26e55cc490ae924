export { environmentContract, manualMismatches } from './environment-contract.js'
export type { ContractOptions } from './environment-contract.js'
export type { ToolDeclaration } from '../world/live.js'
