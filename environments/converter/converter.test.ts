import { environmentContract } from '../../harness/testing/environment-contract.js'
import converter from './converter.env.js'

environmentContract(converter, {
  unreachableSignals: { JOB_FAILED: 'no job fails with the default failure rate; a test of its own makes one fail' },
})
