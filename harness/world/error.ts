/** A bug of an environment's author: the sentence names the thing. It ends a trial with its stack, never as news for an agent. */
export class WorldError extends Error {
  override name = 'WorldError'
}
