/** Exit codes (DESIGN §12). */
export const exit = { fine: 0, failed: 1, mistake: 2, infrastructure: 3, regression: 100, interrupted: 130 } as const
