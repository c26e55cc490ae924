import { defineExternalAgent } from 'sora-bench'

export default defineExternalAgent({
  // As in the file's name: NAME.agent.ts.
  name: 'NAME',
  // Raise it whenever it behaves in another way.
  version: '1',
  summary: 'Looks around, and gives up.',
  // Which tools its MCP session has. `act`: operations and documents; `poll`: also `read_properties` and `sleep`;
  // `push`: also resources that can be subscribed to.
  surface: 'poll',
  // Any program in any language. It is run without a shell, in this file's folder.
  command: ['python3', 'NAME.py'],
  from: import.meta.url,
})
