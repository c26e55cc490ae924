import { loadAgent, pluginFiles } from '../run/registry.js'
import { agentContract } from './agent-contract.js'
import type { AgentContractOptions } from './agent-contract.js'

/** What an architecture is by definition, and the contract does not expect. */
const exceptions: Readonly<Record<string, AgentContractOptions>> = {
  's-ora-reference': {
    stalls: { because: 'SETUP leads back to REASONING, which can neither observe nor end (thesis 7.5.3)' },
  },
}

for (const name of pluginFiles('agent').keys()) agentContract(await loadAgent(name), exceptions[name])
