/** What one tick adds while the pump ramps, where no ramp time is set (Listing 6.3). */
export const RISE_PSI = { from: 100, to: 400 }

/** How many ticks a ramp can take at most. */
export function longestRampTicks(params: { rampMs: number | null; tickMs: number; targetPsi: number }): number {
  const { rampMs, tickMs, targetPsi } = params
  return Math.ceil(rampMs === null ? targetPsi / RISE_PSI.from : rampMs / tickMs)
}

/** What one tick of flushing leaves. */
export function cooled(celsius: number, params: { coolantTempC: number; coolingRate: number }): number {
  return celsius - (celsius - params.coolantTempC) * params.coolingRate
}

/** How many ticks the flush takes. */
export function flushTicks(params: {
  startTempC: number
  safeTempC: number
  coolantTempC: number
  coolingRate: number
}): number {
  let ticks = 0
  for (let celsius = params.startTempC; celsius >= params.safeTempC; ticks++) celsius = cooled(celsius, params)
  return ticks
}
