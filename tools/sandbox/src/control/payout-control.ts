import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { getAccount, stopAccount } from '../connect/accounts.js'
import { arrive, comeBack, createPayout } from '../connect/payouts.js'
import type { PayoutRecord } from '../connect/records.js'
import { renderAccount, renderPayout, renderTransfer } from '../connect/render.js'
import { getTransfer, reverseTransfer } from '../connect/transfers.js'
import { NO_CALL } from '../context.js'
import { platformBalance, recordMovement } from '../payments/balance.js'
import { ACCOUNT_FEE_TYPES } from '../payments/records.js'
import { renderBalance } from '../payments/render-money.js'
import { type ControlApiOptions, ControlError, done, parseBody } from './control-request.js'

const failBody = z.strictObject({ code: z.string().default('no_account') })
const movementBody = z.strictObject({
  /** Signed: money that leaves the balance is negative. */
  amount: z.coerce.number().int(),
  type: z.enum([...ACCOUNT_FEE_TYPES, 'topup']),
})
const platformBody = z.strictObject({ amount: z.coerce.number().int().positive().optional() })

type ById = { Params: { id: string } }

/** Routes that let payouts arrive or come back, stop a seller's account, move a transfer back, pay the balance out to Holdfast, and take fees from it. */
export function payoutControl(app: FastifyInstance, options: ControlApiOptions): void {
  const { context } = options
  app.get('/payouts', async () => context.state.payouts.newestFirst().map(renderPayout))
  app.post<ById>('/payouts/:id/settle', (request, reply) => {
    const payout = payoutIn(options, request.params.id)
    if (payout.status !== 'in_transit') throw new ControlError(409, `This payout is ${payout.status}, not in_transit.`)
    return done(options, request, reply, renderPayout(arrive(context, NO_CALL, payout)))
  })
  app.post<ById>('/payouts/:id/fail', (request, reply) => {
    const payout = payoutIn(options, request.params.id)
    if (payout.status === 'failed') throw new ControlError(409, 'This payout has come back already.')
    const { code } = parseBody(failBody, request.body)
    return done(options, request, reply, renderPayout(comeBack(context, NO_CALL, payout, code)))
  })
  app.post<ById>('/accounts/:id/stop', (request, reply) => {
    const account = getAccount(context, request.params.id)
    return done(options, request, reply, renderAccount(stopAccount(context, NO_CALL, account, true)))
  })
  app.post<ById>('/accounts/:id/resume', (request, reply) => {
    const account = getAccount(context, request.params.id)
    return done(options, request, reply, renderAccount(stopAccount(context, NO_CALL, account, false)))
  })
  app.post<ById>('/transfers/:id/reverse', (request, reply) => {
    const transfer = getTransfer(context, request.params.id)
    const wanted = { amount: parseBody(platformBody, request.body).amount, metadata: {} }
    reverseTransfer(context, NO_CALL, transfer, wanted)
    return done(options, request, reply, renderTransfer(getTransfer(context, transfer.id)))
  })
  app.post('/platform-payouts', (request, reply) => {
    const { amount = platformBalance(context, 'usd') } = parseBody(platformBody, request.body)
    const payout = createPayout(context, NO_CALL, { accountId: null, amount, currency: 'usd', metadata: {} })
    return done(options, request, reply, renderPayout(payout))
  })
  app.post('/platform-movements', (request, reply) => {
    const { amount, type } = parseBody(movementBody, request.body)
    const movement = { amount, currency: 'usd', type, sourceId: null, description: null }
    return done(options, request, reply, renderBalance(recordMovement(context, movement), context.now()))
  })
}

function payoutIn({ context }: ControlApiOptions, id: string): PayoutRecord {
  const payout = context.state.payouts.get(id)
  if (!payout) throw new ControlError(404, 'There is no such payout.')
  return payout
}
