import { expect, test } from 'vitest'
import { Refusal, classify } from './faults.js'
import type { FaultKind } from './faults.js'

const judged = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  classify(
    new Refusal(status, new Headers(headers), typeof body === 'string' ? body : JSON.stringify(body)),
    (text) => text,
  )
const error = (message: string, more: object = {}) => ({ error: { message, ...more } })

const cases: [string, number, unknown, FaultKind][] = [
  ['OpenAI, context', 400, error('…', { code: 'context_length_exceeded', param: 'messages' }), 'overflow'],
  ['Anthropic, context', 400, error('prompt is too long: 210000 tokens > 200000 maximum'), 'overflow'],
  [
    'Gemini, context, as an array',
    400,
    [
      error('The input token count (9) exceeds the maximum number of tokens allowed (8).', {
        status: 'INVALID_ARGUMENT',
      }),
    ],
    'overflow',
  ],
  ['vLLM, context', 400, { message: "This model's maximum context length is 4096 tokens.", code: 400 }, 'overflow'],
  [
    'llama-server, prompt',
    400,
    error('request (9 tokens) exceeds the available context size (8 tokens)', { type: 'exceed_context_size_error' }),
    'overflow',
  ],
  ['llama-server, slots', 500, error('Context size has been exceeded.', { type: 'server_error' }), 'overflow'],
  ['TGI, context', 422, { error: '`inputs` must have less than 4096 tokens.', error_type: 'validation' }, 'overflow'],
  [
    'Groq, a request beyond the minute',
    413,
    error('Request too large for model `x` on tokens per minute (TPM): Limit 6000, Requested 9000', {
      code: 'rate_limit_exceeded',
    }),
    'account',
  ],
  ['Groq, a rate with the word tokens', 429, error('Rate limit reached on tokens per minute (TPM)'), 'rate'],
  [
    'Gemini, a rate that speaks of quota',
    429,
    [error('You exceeded your current quota', { status: 'RESOURCE_EXHAUSTED' })],
    'rate',
  ],
  [
    'Gemini, the quota of a day',
    429,
    [
      error('You exceeded your current quota: GenerateRequestsPerDayPerProjectPerModel', {
        status: 'RESOURCE_EXHAUSTED',
      }),
    ],
    'account',
  ],
  ['OpenAI, no money', 429, error('…', { type: 'insufficient_quota', code: 'credit_balance_exhausted' }), 'account'],
  ['DeepSeek, no money', 402, error('Insufficient Balance'), 'account'],
  ['Anthropic, overloaded', 529, error('Overloaded', { type: 'overloaded_error' }), 'broken'],
  ['llama-server, loading', 503, error('Loading model', { type: 'unavailable_error' }), 'broken'],
  ['Groq, a call that does not fit', 400, error('…', { code: 'tool_use_failed', failed_generation: '<x>' }), 'model'],
  ['Azure, content', 400, error('…', { code: 'content_filter' }), 'model'],
  ['Ollama, no such model', 404, error("model 'llama9' not found"), 'account'],
  ['OpenAI, no such model', 400, error('The model `gpt-9` does not exist', { code: 'model_not_found' }), 'account'],
  ['FastAPI, a field', 422, { detail: [{ loc: ['body', 'x'], msg: 'extra fields not permitted' }] }, 'request'],
  ['a page', 502, '<html><head><style>b{}</style></head><h1>Bad gateway</h1>', 'broken'],
]

test.each(cases)('%s (HTTP %i)', (_who, status, body, kind) => {
  expect(judged(status, body).kind).toBe(kind)
})

test.each([
  [{ 'retry-after-ms': '80' }, '', 80],
  [{ 'retry-after': '2.5' }, '', 2_500],
  [{ 'retry-after': '2m59.56s' }, '', 179_560],
  [{}, 'Please try again in 5.289s.', 5_289],
  [{}, '[{"error":{"details":[{"retryDelay": "17s"}]}}]', 17_000],
  [{}, 'Rate limit reached. Please retry after 3 seconds.', 3_000],
  [{}, 'no', null],
])('how long to wait is read from headers, then from the body: %j %s', (headers, body, waitMs) => {
  expect(judged(429, body, headers).waitMs).toBe(waitMs)
})

test('the server’s own sentence is told on one line, cut, and cannot steer a terminal', () => {
  expect(judged(502, '<html><head><style>b{}</style></head><h1>Bad\n gateway</h1>').reason).toBe(
    'the server failed (HTTP 502): Bad gateway',
  )
  const { reason } = judged(400, error(`\u001b[2J\u202e${'x'.repeat(500)}`))
  expect(reason).toBe(`the request was not accepted (HTTP 400): [2J ${'x'.repeat(296)}…`)
})

test('a call that the server refused comes back as the model has made it', () => {
  expect(judged(400, error('…', { code: 'tool_use_failed', failed_generation: '<x>' }))).toMatchObject({
    finish: 'tool_use_failed',
    failed: '<x>',
  })
})
