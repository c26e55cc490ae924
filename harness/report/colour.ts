import pc from 'picocolors'

/** Colours for people alone: a file or a pipe gets none, whatever the environment (CI included) seems to promise. */
const coloursOf = (stream: NodeJS.WriteStream) =>
  pc.createColors(pc.isColorSupported && (stream.isTTY || 'FORCE_COLOR' in process.env))

/** Honour NO_COLOR and FORCE_COLOR. */
export const onStdout = coloursOf(process.stdout)
export const onStderr = coloursOf(process.stderr)
