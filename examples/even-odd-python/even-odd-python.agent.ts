import { defineExternalAgent } from 'sora-bench'

export default defineExternalAgent({
  name: 'even-odd-python',
  version: '1',
  summary: 'Plays even-odd by a rule, in Python: looks at the counter, and increments it when its turn has come.',
  surface: 'poll',
  command: ['python3', 'even_odd.py'],
  from: import.meta.url,
})
