import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { NO_CALL } from '../context.js'
import { completeChallenge, decline, settle } from '../payments/attempts.js'
import { receiveTransfer, TRANSFER_RETURNED } from '../payments/bank-transfers.js'
import { closeDispute, openDispute } from '../payments/disputes.js'
import { isByTransfer } from '../payments/payer.js'
import { getIntent } from '../payments/payment-intents.js'
import type { ChargeRecord, IntentRecord, IntentStatus, PaymentFailure } from '../payments/records.js'
import { createRefund, failRefund, getRefund, settleRefund } from '../payments/refunds.js'
import { renderDispute, renderRefund } from '../payments/render-money.js'
import { TEST_CARDS } from '../payments/test-cards.js'
import { type ControlApiOptions, ControlError, done, parseBody } from './control-request.js'
import { overviewOfPayment, overviewOfPayments } from './overview.js'

const declineBody = z.strictObject({
  /** The name of a test card that declines, such as `insufficient_funds`. */
  reason: z.string().default('generic_decline'),
})
const challengeBody = z.strictObject({ outcome: z.enum(['pass', 'fail']) })
const refundBody = z.strictObject({ amount: z.coerce.number().int().positive().optional() })
const transferBody = z.strictObject({ amount: z.coerce.number().int().positive() })
const disputeBody = z.strictObject({ outcome: z.enum(['won', 'lost']) })

type ById = { Params: { id: string } }

/** Routes that settle, decline, refund or dispute payments by hand. */
export function paymentControl(app: FastifyInstance, options: ControlApiOptions): void {
  const { context } = options
  app.get('/payments', async () => overviewOfPayments(context))
  app.get<ById>('/payments/:id', async request => overviewOfPayment(context, getIntent(context, request.params.id)))

  app.post<ById>('/payments/:id/settle', (request, reply) => {
    const intent = inStatus(options, request.params.id, 'processing')
    return done(options, request, reply, overviewOfPayment(context, settle(context, NO_CALL, intent)))
  })
  app.post<ById>('/payments/:id/decline', (request, reply) => {
    const intent = inStatus(options, request.params.id, 'processing')
    const { reason } = parseBody(declineBody, request.body)
    const failure = isByTransfer(intent) ? TRANSFER_RETURNED : failureNamed(reason)
    return done(options, request, reply, overviewOfPayment(context, decline(context, NO_CALL, intent, failure)))
  })
  app.post<ById>('/payments/:id/transfer', (request, reply) => {
    const intent = getIntent(context, request.params.id)
    if (!isByTransfer(intent)) throw new ControlError(409, 'This payment is not paid by bank transfer.')
    const { amount } = parseBody(transferBody, request.body)
    return done(options, request, reply, overviewOfPayment(context, receiveTransfer(context, NO_CALL, intent, amount)))
  })
  app.post<ById>('/payments/:id/challenge', (request, reply) => {
    const intent = inStatus(options, request.params.id, 'requires_action')
    const passed = parseBody(challengeBody, request.body).outcome === 'pass'
    return done(
      options,
      request,
      reply,
      overviewOfPayment(context, completeChallenge(context, NO_CALL, intent, passed)),
    )
  })
  app.post<ById>('/payments/:id/refund', (request, reply) => {
    const intent = inStatus(options, request.params.id, 'succeeded')
    const { amount } = parseBody(refundBody, request.body)
    const refund = createRefund(context, NO_CALL, { intentId: intent.id, amount })
    return done(options, request, reply, renderRefund(refund))
  })
  app.post<ById>('/payments/:id/dispute', (request, reply) => {
    const charge = chargeOf(options, inStatus(options, request.params.id, 'succeeded'))
    if (charge.disputed) throw new ControlError(409, 'This payment has been disputed already.')
    if (charge.amountRefunded === charge.amount) throw new ControlError(409, 'Nothing of this payment is left.')
    return done(options, request, reply, renderDispute(context, openDispute(context, NO_CALL, charge)))
  })
  refundAndDisputeMoves(app, options)
}

function refundAndDisputeMoves(app: FastifyInstance, options: ControlApiOptions): void {
  const { context } = options
  app.post<ById>('/refunds/:id/settle', (request, reply) => {
    const refund = getRefund(context, request.params.id)
    if (refund.status !== 'pending') throw new ControlError(409, `This refund is ${refund.status}, not pending.`)
    return done(options, request, reply, renderRefund(settleRefund(context, NO_CALL, refund)))
  })
  app.post<ById>('/refunds/:id/fail', (request, reply) => {
    const refund = getRefund(context, request.params.id)
    if (refund.status === 'failed') throw new ControlError(409, 'This refund has failed already.')
    return done(options, request, reply, renderRefund(failRefund(context, NO_CALL, refund)))
  })
  app.post<ById>('/disputes/:id/close', (request, reply) => {
    const dispute = context.state.disputes.get(request.params.id)
    if (!dispute) throw new ControlError(404, 'There is no such dispute.')
    if (dispute.status !== 'needs_response') throw new ControlError(409, `This dispute is ${dispute.status} already.`)
    const { outcome } = parseBody(disputeBody, request.body)
    return done(options, request, reply, renderDispute(context, closeDispute(context, NO_CALL, dispute, outcome)))
  })
  app.post<ById>('/disputes/:id/decide-again', (request, reply) => {
    const dispute = context.state.disputes.get(request.params.id)
    if (!dispute) throw new ControlError(404, 'There is no such dispute.')
    const outcome = { won: 'lost', lost: 'won' } as const
    if (dispute.status === 'needs_response') throw new ControlError(409, 'The bank has not decided yet.')
    const again = closeDispute(context, NO_CALL, dispute, outcome[dispute.status])
    return done(options, request, reply, renderDispute(context, again))
  })
}

function inStatus(options: ControlApiOptions, id: string, wanted: IntentStatus): IntentRecord {
  const intent = getIntent(options.context, id)
  if (intent.status !== wanted) throw new ControlError(409, `This payment is ${intent.status}, not ${wanted}.`)
  return intent
}

function chargeOf(options: ControlApiOptions, intent: IntentRecord): ChargeRecord {
  const charge = intent.chargeId === null ? undefined : options.context.state.charges.get(intent.chargeId)
  if (!charge) throw new ControlError(409, 'This payment’s charge has been forgotten.')
  return charge
}

function failureNamed(name: string): PaymentFailure {
  const behaviour = Object.hasOwn(TEST_CARDS, name) ? TEST_CARDS[name]?.behaviour : undefined
  if (behaviour?.does === 'decline') return behaviour.failure
  throw new ControlError(422, 'reason: must be the name of a test card that declines')
}
