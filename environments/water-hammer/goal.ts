import { DEFAULT_RELIEVE_WITHIN_MS, LINE_LIMIT_BAR } from './params.js'
import type { Params } from './params.js'

/** What the operator is told; each hazard that the parameters add is a sentence more. */
export function goalOf({
  startTempC,
  safeTempC,
  meltdownAfterMs = null,
  overpressure = 'never',
  relieveWithinMs = DEFAULT_RELIEVE_WITHIN_MS,
}: Params): string {
  return [
    `The core is critical (${startTempC}°C). Perform the Hydraulic Flush, reduce core temperature, then verify it is below ${safeTempC}°C and the system is STABLE.`,
    ...(meltdownAfterMs === null
      ? []
      : [`A core that is not stable ${meltdownAfterMs / 1_000} s after the beginning melts down by itself.`]),
    ...(overpressure === 'never'
      ? []
      : [
          `All the while keep the pressure of the feed line below ${LINE_LIMIT_BAR} BAR: an excess has to be relieved within ${relieveWithinMs / 1_000} s.`,
        ]),
  ].join(' ')
}
