import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { unitsIn } from '../crypto/assets.js'
import { addConfirmations, completeAutomaticRefunds, expire, latestQuote, reorganise, send } from '../crypto/intents.js'
import type { CryptoIntentRecord } from '../crypto/records.js'
import { renderIntent, renderWithdrawal } from '../crypto/render.js'
import { completeWithdrawal } from '../crypto/withdrawals.js'
import { type ControlApiOptions, ControlError, done, parseBody } from './control-request.js'

const MAX_BLOCKS = 100
const sendBody = z.strictObject({
  /** In the asset, such as `0.0015`; what the quote asks for when absent. */
  amount: z.string().trim().optional(),
})
const confirmBody = z.strictObject({ blocks: z.coerce.number().int().min(1).max(MAX_BLOCKS).default(MAX_BLOCKS) })

type ById = { Params: { id: string } }

/** Routes that send cryptocurrency to an address, confirm it or not, and let returns arrive. The id is the intent's or an address. */
export function cryptoControl(app: FastifyInstance, options: ControlApiOptions): void {
  const { context } = options
  app.get('/crypto', async () => context.state.cryptoIntents.newestFirst().map(renderIntent))
  app.get<ById>('/crypto/:id', async request => renderIntent(getIntent(options, request.params.id)))
  app.post<ById>('/crypto/:id/send', (request, reply) => {
    const intent = getIntent(options, request.params.id)
    const quote = latestQuote(intent)
    const { amount } = parseBody(sendBody, request.body)
    const units = amount ? unitsIn(amount, quote.asset) : BigInt(quote.units)
    if (units === null) throw new ControlError(422, `amount: must be an amount of ${quote.asset}`)
    return done(options, request, reply, renderIntent(send(context, intent, units)))
  })
  app.post<ById>('/crypto/:id/confirm', (request, reply) => {
    const intent = getIntent(options, request.params.id)
    const { blocks } = parseBody(confirmBody, request.body)
    return done(options, request, reply, renderIntent(addConfirmations(context, intent, blocks)))
  })
  const moves = { reorganise, expire, 'arrive-back': completeAutomaticRefunds }
  for (const [move, make] of Object.entries(moves))
    app.post<ById>(`/crypto/:id/${move}`, (request, reply) =>
      done(options, request, reply, renderIntent(make(context, getIntent(options, request.params.id)))),
    )
  app.get('/withdrawals', async () => context.state.withdrawals.newestFirst().map(renderWithdrawal))
  app.post<ById>('/withdrawals/:id/settle', (request, reply) => {
    const withdrawal = context.state.withdrawals.get(request.params.id)
    if (!withdrawal) throw new ControlError(404, 'There is no such withdrawal.')
    if (withdrawal.state !== 'created') throw new ControlError(409, 'This withdrawal has arrived already.')
    return done(options, request, reply, renderWithdrawal(completeWithdrawal(context, withdrawal)))
  })
}

function getIntent({ context }: ControlApiOptions, id: string): CryptoIntentRecord {
  const { cryptoIntents } = context.state
  const byAddress = () => cryptoIntents.newestFirst().find(({ quotes }) => quotes.some(({ address }) => address === id))
  const intent = cryptoIntents.get(id) ?? byAddress()
  if (!intent) throw new ControlError(404, 'There is no such payment intent or address.')
  if (intent.quotes.length === 0) throw new ControlError(409, 'This payment intent has no quote yet.')
  return intent
}
