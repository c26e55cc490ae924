/** The user's mistake: one sentence with the value and the way out. Printed without a stack; exit code 2. */
export class UserError extends Error {
  override name = 'UserError'
}

/** No well-formed answer came from the model's endpoint although it was retried (docs/design.md#models). Ends a trial as `infrastructure_error`. */
export class InfrastructureError extends Error {
  override name = 'InfrastructureError'
}
