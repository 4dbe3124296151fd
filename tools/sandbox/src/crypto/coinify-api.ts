import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Context } from '../context.js'
import type { Faults } from '../control/faults.js'
import { sameText } from '../http/keys.js'
import { addQuote, createIntent } from './intents.js'
import { ASSETS, type CryptoIntentRecord } from './records.js'
import { renderIntent, renderWithdrawal } from './render.js'
import { createWithdrawal } from './withdrawals.js'

const MAX_TEXT = 255
const MAX_PAGE = 100
const cents = z
  .union([z.number(), z.string().regex(/^\d+(\.\d{1,2})?$/)])
  .transform(amount => Math.round(Number(amount) * 100))
  .pipe(z.int().positive())
const text = z.string().min(1).max(MAX_TEXT)
const intentBody = z.object({
  amount: cents,
  currency: z.literal('USD'),
  orderId: text,
  customerId: text.nullish().transform(id => id ?? null),
})
const quoteBody = z.object({ currency: z.enum(ASSETS), refundAddress: text.nullish() })
const withdrawalBody = z.object({
  orderId: text,
  baseAmount: cents,
  baseCurrency: z.literal('USD'),
  finalCurrency: z.enum(ASSETS),
  address: text,
  customerId: text.nullish().transform(id => id ?? null),
  context: z.record(z.string(), z.unknown()).nullish(),
})
/** The names of these parameters are not known. `since` is the one of Coinify’s list of settlements. */
const listQuery = z.object({
  since: z.iso.datetime({ offset: true }).optional(),
  limit: z.coerce.number().int().min(1).max(MAX_PAGE).default(MAX_PAGE),
  offset: z.coerce.number().int().min(0).default(0),
})

class CoinifyError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message)
  }
}

type ById = { Params: { id: string } }

/** The crypto processor's API under `/v1`, in the shape of Coinify's Payment API (coinify.readme.io). */
export async function coinifyApi(
  app: FastifyInstance,
  { context, faults }: { context: Context; faults: Faults },
): Promise<void> {
  const { state } = context
  app.setErrorHandler((error, request, reply) => {
    const known = asCoinifyError(error)
    if (known.status >= 500) request.log.error({ err: error }, 'a call to the crypto processor failed')
    return reply.code(known.status).send({ errorCode: known.code, errorMessage: known.message })
  })
  app.addHook('preHandler', async (request, reply) => {
    const key = request.headers['x-api-key']
    if (typeof key !== 'string' || !sameText(key, context.config.coinifyKey)) {
      throw new CoinifyError(401, 'unauthorized', 'The API key is not valid.')
    }
    const fault = faults.take(request.method, request.url)
    const delayMs = state.settings.latencyMs + (fault?.delayMs ?? 0)
    if (delayMs > 0) await sleep(delayMs)
    if (fault?.kind === 'rate_limit') throw new CoinifyError(429, 'too_many_requests', 'Too many requests.')
    if (fault?.kind === 'error') throw new CoinifyError(500, 'internal_error', 'This error was set at the sandbox.')
    if (fault?.kind === 'refuse') {
      reply.hijack()
      request.raw.socket.destroy()
    }
    // The work is done, and its answer is lost.
    if (fault?.kind === 'lose_answer' || fault?.kind === 'error_after') request.losesAnswer = true
  })
  app.decorateRequest('losesAnswer', false)
  app.addHook('onSend', async request => {
    if (request.losesAnswer) request.raw.socket.destroy()
  })

  app.post('/payment-intents', async (request, reply) => {
    const intent = createIntent(context, parse(intentBody, request.body))
    await state.commit()
    return reply.code(201).send({ id: intent.id, paymentWindowUrl: `${context.origin()}/#${intent.id}` })
  })
  app.get('/payment-intents', async request => {
    const { since, limit, offset } = parse(listQuery, request.query)
    const from = since ? Date.parse(since) : 0
    const found = state.cryptoIntents.newestFirst().filter(({ createdAt }) => createdAt >= from)
    return { paymentIntents: found.slice(offset, offset + limit).map(renderIntent) }
  })
  app.get<ById>('/payment-intents/:id', async request => renderIntent(getIntent(context, request.params.id)))
  app.post<ById>('/payment-intents/:id/quotes', async (request, reply) => {
    const intent = getIntent(context, request.params.id)
    if (intent.state !== 'pending')
      throw new CoinifyError(409, 'invalid_state', `This payment intent is ${intent.state}.`)
    const { currency, refundAddress } = parse(quoteBody, request.body)
    const quoted = addQuote(context, intent, currency, refundAddress ?? null)
    await state.commit()
    return reply.code(201).send(renderIntent(quoted))
  })
  app.post('/withdrawals', async (request, reply) => {
    const { baseAmount, baseCurrency, finalCurrency, context: about, ...wanted } = parse(withdrawalBody, request.body)
    const withdrawal = createWithdrawal(context, {
      ...wanted,
      contextJson: about ? JSON.stringify(about) : null,
      amount: baseAmount,
      currency: baseCurrency,
      asset: finalCurrency,
    })
    await state.commit()
    return reply.code(201).send(renderWithdrawal(withdrawal))
  })
  app.get<ById>('/withdrawals/:id', async request => {
    const withdrawal = state.withdrawals.get(request.params.id)
    if (!withdrawal) throw new CoinifyError(404, 'not_found', 'There is no such withdrawal.')
    return renderWithdrawal(withdrawal)
  })
}

function getIntent(context: Context, id: string): CryptoIntentRecord {
  const intent = context.state.cryptoIntents.get(id)
  if (!intent) throw new CoinifyError(404, 'not_found', 'There is no such payment intent.')
  return intent
}

function parse<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const issue = result.error.issues[0]!
  throw new CoinifyError(400, 'invalid_request', `${issue.path.join('.') || 'body'}: ${issue.message}`)
}

function asCoinifyError(error: unknown): CoinifyError {
  if (error instanceof CoinifyError) return error
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
  if (status >= 400 && status < 500) return new CoinifyError(status, 'bad_request', String(error))
  return new CoinifyError(500, 'internal_error', 'Something went wrong in the sandbox.')
}

declare module 'fastify' {
  interface FastifyRequest {
    losesAnswer: boolean
  }
}
