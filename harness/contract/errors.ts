/** The user's mistake: one sentence with the value and the way out. Printed without a stack; exit code 2. */
export class UserError extends Error {
  override name = 'UserError'
}

/** No well-formed answer came from the model's endpoint although it was retried (docs/design.md#models). Ends a trial as `infrastructure_error`. */
export class InfrastructureError extends Error {
  override name = 'InfrastructureError'
}

/**
 * No other call may follow, in any trial: the run's money is spent, or its endpoint will never answer. The trial that met
 * it is not stored, so the run can be resumed. The message is one sentence with the way out.
 */
export class RunStopped extends InfrastructureError {
  override name = 'RunStopped'
}
