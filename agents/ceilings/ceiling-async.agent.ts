import { ceilingOf } from './ceiling.js'

export default ceilingOf('async')
