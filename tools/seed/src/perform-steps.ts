import { disputeRoutes } from '@holdfast/contracts/dispute-routes'
import { messageRoutes } from '@holdfast/contracts/messages'
import { paymentRoutes } from '@holdfast/contracts/payments'
import { reviewRoutes } from '@holdfast/contracts/reviews'
import { transactionRoutes } from '@holdfast/contracts/transaction-routes'
import type { Transaction } from '@holdfast/contracts/transactions'
import { ApiError } from '@holdfast/http-client/api-error'
import type { DealStatus, PartyRole } from '@holdfast/kernel/deals'
import { takeCaseStep } from './case-steps.js'
import type { Step } from './deal-steps.js'
import { eventually } from './eventually.js'
import type { OpenDeal } from './open-deal.js'

/**
 * Performs the steps of a deal, one after the other. Steps that have been performed are skipped, so that a demo which was
 * interrupted continues.
 */
export async function performSteps(deal: OpenDeal, steps: readonly Step[]): Promise<void> {
  for (const step of steps) await take(deal, step)
}

function take(deal: OpenDeal, step: Step): Promise<void> {
  switch (step.does) {
    case 'say':
      return say(deal, step.by, step.text)
    case 'pay':
      return pay(deal)
    case 'payByBank':
      return payByBank(deal, step.amount)
    case 'startHandover':
      return once(deal, ['in_progress'], ({ seller }) =>
        seller.call(transactionRoutes.updateTransactionStatus, { ...at(deal), body: { status: 'in_progress' } }),
      )
    case 'ship':
      return ship(deal, step)
    case 'move':
      return moveParcel(deal, step)
    case 'confirmDelivery':
      return once(deal, ['inspection', 'completed'], ({ buyer }) =>
        buyer.call(transactionRoutes.confirmDelivery, at(deal)),
      )
    case 'accept':
      return once(deal, ['completed'], ({ buyer }) => buyer.call(transactionRoutes.acceptTransaction, at(deal)))
    case 'review':
      return review(deal, step)
    case 'refund':
      return once(deal, ['cancelled'], ({ seller }) => seller.call(transactionRoutes.refundTransaction, at(deal)))
    case 'chargeBack':
      return once(deal, ['disputed'], async () => {
        await deal.sandbox.disputePayment(deal.id)
        await eventually('the chargeback stopped the deal', async () => has(await look(deal), ['disputed']))
      })
    case 'failRefund':
      return failRefund(deal)
    case 'dispute':
      return once(deal, ['disputed'], ({ buyer }) =>
        buyer.call(disputeRoutes.fileDispute, {
          body: { transactionId: deal.id, reason: step.reason, description: step.text },
        }),
      )
    default:
      return takeCaseStep(deal, step)
  }
}

const at = (deal: OpenDeal) => ({ params: { id: String(deal.id) } })

const look = (deal: OpenDeal): Promise<Transaction> =>
  deal.parties.buyer.call(transactionRoutes.getTransaction, at(deal))

const has = (transaction: Transaction, statuses: readonly DealStatus[]) =>
  transaction.reached.some(({ status }) => statuses.includes(status))

/** Performs an act that leads to one of `statuses`, unless the deal has had one of them. */
async function once(
  deal: OpenDeal,
  statuses: readonly DealStatus[],
  act: (parties: OpenDeal['parties']) => Promise<unknown>,
): Promise<void> {
  if (!has(await look(deal), statuses)) await act(deal.parties)
}

async function review(deal: OpenDeal, { by, rating, text }: Extract<Step, { does: 'review' }>): Promise<void> {
  const author = deal.parties[by]
  const { mayReview } = await author.call(reviewRoutes.getReviewsOfDeal, at(deal))
  if (mayReview) await author.call(reviewRoutes.createReview, { ...at(deal), body: { rating, text } })
}

async function say({ id, parties }: OpenDeal, by: PartyRole, text: string): Promise<void> {
  const speaker = parties[by]
  const params = { id: String(id) }
  const messages = await speaker.call(messageRoutes.listMessages, { params, query: {} })
  if (messages.some(message => message.content === text)) return
  await speaker.call(messageRoutes.postMessage, { params, body: { content: text } })
}

async function pay(deal: OpenDeal): Promise<void> {
  if (has(await look(deal), ['paid'])) return
  const { firstName, lastName } = deal.parties.buyer.person
  await deal.sandbox.payByCard(await begin(deal, 'card'), `${firstName} ${lastName}`)
  await becomePaid(deal)
}

async function payByBank(deal: OpenDeal, amount: string): Promise<void> {
  if (has(await look(deal), ['paid'])) return
  await begin(deal, 'bank')
  await deal.sandbox.payByTransfer(deal.id, amount)
  await becomePaid(deal)
}

const begin = (deal: OpenDeal, method: 'card' | 'bank') =>
  deal.parties.buyer.call(paymentRoutes.createPayment, {
    ...at(deal),
    // The same at every attempt: a demo that was interrupted continues with the payment that it had begun.
    headers: { 'idempotency-key': `demo-${deal.id}` },
    body: { method },
  })

const becomePaid = (deal: OpenDeal) => eventually('the deal became paid', async () => has(await look(deal), ['paid']))

async function failRefund(deal: OpenDeal): Promise<void> {
  if ((await look(deal)).refund === 'failed') return
  await eventually('the provider had the refund', () => deal.sandbox.failRefund(deal.id))
  await eventually('the refund had failed', async () => (await look(deal)).refund === 'failed')
}

async function ship(deal: OpenDeal, parcel: { trackingNumber: string; carrier: string }): Promise<void> {
  const { trackingNumber, carrier } = parcel
  const { seller } = deal.parties
  await once(deal, ['shipped'], () =>
    seller.call(transactionRoutes.saveTracking, { ...at(deal), body: { trackingNumber, carrier } }),
  )
  // The tracker must exist before the parcel moves, or no event would be sent.
  await eventually('the carrier knew the parcel', () =>
    seller.call(transactionRoutes.getTracking, { params: { trackingNumber } }).then(
      () => true,
      (error: unknown) => {
        if (error instanceof ApiError && error.status === 404) return false
        throw error
      },
    ),
  )
}

async function moveParcel(deal: OpenDeal, step: Extract<Step, { does: 'move' }>): Promise<void> {
  const { trackingNumber } = await look(deal)
  if (trackingNumber === null) throw new Error(`Deal ${deal.id} has no parcel to move.`)
  await deal.sandbox.move(trackingNumber, step.status, step.message)
  if (step.status !== 'delivered') return
  await eventually('the delivery reached the deal', async () => has(await look(deal), ['inspection']))
}
