import { environmentContract } from 'sora-bench/testing'
import environment from './NAME.env.js'

// The oracle solves all corners of the parameters and 200 draws, each saboteur does its harm, the manual says what the tool does …
environmentContract(environment)
