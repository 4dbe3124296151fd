import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Cause, Context } from '../context.js'
import type { Fault, Faults } from '../control/faults.js'
import { API_VERSION } from '../payments/render-event.js'
import { MAX_PENDING_DELIVERIES } from '../state/state.js'
import { expand, type Lookup } from './expand.js'
import { decodeForm } from './form.js'
import { hashOfParams, type OpenCalls, recall } from './idempotency.js'
import { authenticate, type KeyKind } from './keys.js'
import { objectId } from './object-ids.js'
import { parseParams } from './params.js'
import { StripeError } from './stripe-error.js'

/** What the provider's API works with. */
export interface StripeApiOptions {
  readonly context: Context
  readonly faults: Faults
  readonly openCalls: OpenCalls
  readonly lookup: Lookup
}

export interface Call<P> {
  /** The id in the path; empty where there is none. */
  readonly id: string
  readonly params: P
  readonly keyKind: KeyKind
  readonly cause: Cause
  /** The seller's account on whose behalf the call is made (`Stripe-Account`); null for Holdfast's own. */
  readonly account: string | null
}

export interface Endpoint<S extends z.ZodType> {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly url: string
  readonly params: S
  /** Whether a browser with the publishable key may call it; it then checks what else is needed. */
  readonly browser?: boolean
  /** Whether it answers the key of another platform, too. All others hide every object of ours from it. */
  readonly foreign?: boolean
  /** Decides, puts records and returns the answer in wire form. Never waits, so that calls cannot interleave. */
  readonly run: (call: Call<z.output<S>>) => unknown
}

interface Answer {
  readonly status: number
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

/** Registers one call of the provider's API, with what all calls share: keys, faults, idempotency, expansion, errors. */
export function serve<S extends z.ZodType>(
  app: FastifyInstance,
  options: StripeApiOptions,
  endpoint: Endpoint<S>,
): void {
  app.route<{ Params: { id?: string } }>({
    method: endpoint.method,
    url: endpoint.url,
    handler: async (request, reply) => {
      const requestId = objectId('req')
      const fault = options.faults.take(request.method, request.url)
      const delayMs = options.context.state.settings.latencyMs + (fault?.delayMs ?? 0)
      if (fault?.kind === 'refuse') return drop(request, reply)
      const answer =
        answerBefore(fault) ??
        refuseWhenBehind(options, endpoint.method) ??
        (await answerCall(options, endpoint, request, { requestId, delayMs, fault }))
      if (fault?.kind === 'lose_answer') return drop(request, reply)
      const final = fault?.kind === 'error_after' ? failedAfterWork() : answer
      return reply
        .code(final.status)
        .headers({ 'request-id': requestId, 'stripe-version': API_VERSION, ...final.headers })
        .type('application/json')
        .send(final.body)
    },
  })
}

async function answerCall<S extends z.ZodType>(
  options: StripeApiOptions,
  endpoint: Endpoint<S>,
  request: FastifyRequest<{ Params: { id?: string } }>,
  { requestId, delayMs, fault }: { requestId: string; delayMs: number; fault: Fault | null },
): Promise<Answer> {
  const raw = endpoint.method !== 'POST' ? queryOf(request.url) : typeof request.body === 'string' ? request.body : ''
  const header = request.headers['idempotency-key']
  const idempotencyKey = endpoint.method === 'POST' && typeof header === 'string' && header !== '' ? header : null
  try {
    const form = decodeForm(raw)
    const keyKind = authenticate(options.context.config, request.headers.authorization, form.key)
    if (keyKind === 'publishable' && !endpoint.browser) throw browserRefused()
    const account = accountOf(request)
    if (keyKind === 'foreign' && !endpoint.foreign) throw notOfThisKey(request.params.id, account)
    if (account !== null && !options.context.state.accounts.get(account)) throw StripeError.noAccess(account)
    const perform = (): Answer => {
      if (fault?.kind === 'error') return failing(500, 'This error was set at the sandbox.')
      const params = parseParams(endpoint.params, form)
      const call = { id: request.params.id ?? '', params, keyKind, account, cause: { requestId, idempotencyKey } }
      const paths = (params as { expand?: string[] }).expand ?? []
      const answer = answerWith(200, expand(endpoint.run(call), paths, options.lookup))
      // Like the provider, the sandbox keeps a 500 under its idempotency key and repeats it.
      return fault?.kind === 'error_after' ? failedAfterWork() : answer
    }
    if (idempotencyKey === null) return await durably(options, delayMs, perform)
    return await performOnce(options, request, { keyKind, idempotencyKey, raw, requestId, delayMs }, perform)
  } catch (error) {
    if (!(error instanceof StripeError)) throw error
    return answerWithError(error)
  }
}

/** Performs a call with an idempotency key, or repeats the first answer under that key. */
async function performOnce(
  options: StripeApiOptions,
  request: FastifyRequest,
  key: { keyKind: KeyKind; idempotencyKey: string; raw: string; requestId: string; delayMs: number },
  perform: () => Answer,
): Promise<Answer> {
  const endpoint = pathOf(request.url)
  const scope = accountOf(request) ?? ''
  const keyed = { id: `${key.keyKind}${scope}:${key.idempotencyKey}`, endpoint, paramsHash: hashOfParams(key.raw) }
  const known = recall(options.context.state.idempotency, options.openCalls, keyed, options.context.now())
  const headers = { 'idempotency-key': key.idempotencyKey }
  if (known) {
    const replayed = { 'idempotent-replayed': 'true', 'original-request': known.requestId }
    return { status: known.status, body: known.body, headers: { ...headers, ...replayed } }
  }
  options.openCalls.add(keyed.id)
  try {
    return await durably(options, key.delayMs, () => {
      const answer = orCarriedOutError(perform)
      const { status, body } = answer
      const createdAt = options.context.now()
      options.context.state.idempotency.put({ ...keyed, createdAt, status, body, requestId: key.requestId })
      return { ...answer, headers: { ...answer.headers, ...headers } }
    })
  } finally {
    options.openCalls.delete(keyed.id)
  }
}

/** Performs a call and keeps its changes before it is answered. A refusal may have changes, too. */
async function durably(options: StripeApiOptions, delayMs: number, perform: () => Answer): Promise<Answer> {
  if (delayMs > 0) await sleep(delayMs)
  try {
    return perform()
  } finally {
    await options.context.state.commit()
  }
}

function orCarriedOutError(perform: () => Answer): Answer {
  try {
    return perform()
  } catch (error) {
    if (error instanceof StripeError && error.carriedOut) return answerWithError(error)
    throw error
  }
}

function answerWith(status: number, body: unknown, headers: Record<string, string> = {}): Answer {
  return { status, body: JSON.stringify(body), headers }
}

/** An error as the provider writes it. */
export function answerWithError(error: StripeError): Answer {
  return answerWith(error.status, { error: error.body }, { 'stripe-should-retry': String(error.status === 409) })
}

function answerBefore(fault: Fault | null): Answer | null {
  return fault?.kind === 'rate_limit' ? tooMany('Request rate limit exceeded.') : null
}

/** Refuses new work while too many events wait for their delivery, so that none has to be dropped. */
function refuseWhenBehind(options: StripeApiOptions, method: 'GET' | 'POST' | 'DELETE'): Answer | null {
  const { pending } = options.context.state
  if (method === 'GET' || pending.size < MAX_PENDING_DELIVERIES) return null
  return tooMany(`Request rate limit exceeded: ${pending.size} webhooks have not been delivered yet.`)
}

function tooMany(message: string): Answer {
  return answerWithError(new StripeError(429, { type: 'invalid_request_error', code: 'rate_limit', message }))
}

function failing(status: number, message: string): Answer {
  return answerWithError(new StripeError(status, { type: 'api_error', message }))
}

const failedAfterWork = () => failing(500, 'This error was set at the sandbox; the work was done.')

function accountOf({ headers }: FastifyRequest): string | null {
  const account = headers['stripe-account']
  return typeof account === 'string' && account !== '' ? account : null
}

function browserRefused(): StripeError {
  return StripeError.forbidden(
    'This API call cannot be made with a publishable API key. Please use a secret API key. You can find a list of your API keys at https://dashboard.stripe.com/account/apikeys.',
  )
}

/** What a key of another platform reads about our sellers' accounts, and about everything else. */
function notOfThisKey(id: string | undefined, account: string | null): StripeError {
  const seller = account ?? (id?.startsWith('acct_') ? id : null)
  return seller === null ? StripeError.missing('object', id ?? '') : StripeError.noAccess(seller)
}

function drop(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.hijack()
  request.raw.socket.destroy()
  return reply
}

function queryOf(url: string): string {
  const start = url.indexOf('?')
  return start < 0 ? '' : url.slice(start + 1)
}

function pathOf(url: string): string {
  const start = url.indexOf('?')
  return start < 0 ? url : url.slice(0, start)
}
