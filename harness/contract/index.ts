/** The one zod of the harness: what is declared with it is understood here. */
export { z } from 'zod'
export { defineAgent, defineExternalAgent } from './agent.js'
export type {
  Agent,
  AgentNote,
  Claim,
  Context,
  ExternalAgent,
  Goal,
  Goals,
  Lifetime,
  NoteStyle,
  NoteStyles,
  Program,
  Question,
  ScriptRun,
  ScriptWait,
  SurfaceWait,
  ThoughtLength,
} from './agent.js'
export { VERDICTS } from './comparison.js'
export type * from './comparison.js'
export { clockPolicySchema, speedOf } from './clock.js'
export type { Bell, Clock, ClockEnd, Process, Thought } from './clock.js'
export { deliverySchema, PERFECT_DELIVERY, withDelivery } from './delivery.js'
export type { Delivery } from './delivery.js'
export type * from './door.js'
export { defineEnvironment, Refusal } from './environment.js'
export type * from './environment.js'
export { InfrastructureError, UserError } from './errors.js'
export type { Json, JsonObject, JsonSchema, Scalar } from './json.js'
export { defineMetric } from './metric.js'
export type { Metric, MetricResult, Shown } from './metric.js'
export type * from './model.js'
export type { Random, Stream, StreamKey } from './random.js'
export { TRACE_VERSION } from './record.js'
export type { Exposure, Happening, Recorder, RecordOf, SlipKind, Trace, TraceRecord } from './record.js'
export { defineReporter } from './reporter.js'
export type * from './reporter.js'
export { cacheSchema, DEFAULT_CACHE, defineSuite, limitsSchema, suiteSchema } from './suite.js'
export type { CacheSettings, Suite, SuiteInput, Use } from './suite.js'
export { OUTCOMES } from './trial.js'
export type { Behaviour, Limits, MetricValue, Outcome, Scenario, TrialIdentity, TrialLine } from './trial.js'
