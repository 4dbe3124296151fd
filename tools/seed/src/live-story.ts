import { disputeRoutes } from '@holdfast/contracts/disputes'
import { messageRoutes } from '@holdfast/contracts/messages'
import { paymentRoutes } from '@holdfast/contracts/payments'
import { transactionRoutes } from '@holdfast/contracts/transaction-routes'
import type { Transaction } from '@holdfast/contracts/transactions'
import { ApiError } from '@holdfast/http-client/api-error'
import type { DealStatus, PartyRole } from '@holdfast/kernel/deals'
import { eventually } from './eventually.js'
import type { Member } from './member.js'
import type { Sandbox } from './sandbox.js'
import type { Step } from './story.js'

/** The two people of a deal, and the world around them. */
export interface Stage {
  readonly id: number
  readonly parties: Readonly<Record<PartyRole, Member>>
  readonly sandbox: Sandbox
}

/**
 * Lets the steps of a deal happen, one after the other. A step that has happened already is passed over, so that a demo
 * which broke off halfway goes on where it was.
 */
export async function live(stage: Stage, steps: readonly Step[]): Promise<void> {
  for (const step of steps) await take(stage, step)
}

function take(stage: Stage, step: Step): Promise<void> {
  switch (step.does) {
    case 'say':
      return say(stage, step.by, step.text)
    case 'pay':
      return pay(stage)
    case 'startHandover':
      return once(stage, ['in_progress'], ({ seller }) =>
        seller.call(transactionRoutes.updateTransactionStatus, { ...at(stage), body: { status: 'in_progress' } }),
      )
    case 'ship':
      return ship(stage, step)
    case 'move':
      return moveParcel(stage, step)
    case 'confirmDelivery':
      return once(stage, ['inspection', 'completed'], ({ buyer }) =>
        buyer.call(transactionRoutes.confirmDelivery, at(stage)),
      )
    case 'accept':
      return once(stage, ['completed'], ({ buyer }) => buyer.call(transactionRoutes.acceptTransaction, at(stage)))
    case 'refund':
      return once(stage, ['cancelled'], ({ seller }) => seller.call(transactionRoutes.refundTransaction, at(stage)))
    case 'dispute':
      return once(stage, ['disputed'], ({ buyer }) =>
        buyer.call(disputeRoutes.fileDispute, {
          body: { transactionId: stage.id, reason: step.reason, description: step.text },
        }),
      )
  }
}

const at = (stage: Stage) => ({ params: { id: String(stage.id) } })

const look = (stage: Stage): Promise<Transaction> =>
  stage.parties.buyer.call(transactionRoutes.getTransaction, at(stage))

const has = (deal: Transaction, statuses: readonly DealStatus[]) =>
  deal.reached.some(({ status }) => statuses.includes(status))

/** Does what leads to one of `statuses`, unless the deal has been there. */
async function once(
  stage: Stage,
  statuses: readonly DealStatus[],
  act: (parties: Stage['parties']) => Promise<unknown>,
): Promise<void> {
  if (!has(await look(stage), statuses)) await act(stage.parties)
}

async function say({ id, parties }: Stage, by: PartyRole, text: string): Promise<void> {
  const speaker = parties[by]
  const params = { id: String(id) }
  const said = await speaker.call(messageRoutes.listMessages, { params, query: {} })
  if (said.some(message => message.content === text)) return
  await speaker.call(messageRoutes.postMessage, { params, body: { content: text } })
}

async function pay(stage: Stage): Promise<void> {
  if (has(await look(stage), ['paid'])) return
  const { buyer } = stage.parties
  const payment = await buyer.call(paymentRoutes.createPayment, {
    ...at(stage),
    // The same for ever: a demo that breaks off between the two steps goes on with the payment it had begun.
    headers: { 'idempotency-key': `demo-${stage.id}` },
    body: { method: 'card' },
  })
  await stage.sandbox.payByCard(payment, `${buyer.person.firstName} ${buyer.person.lastName}`)
  await eventually('the provider said that the deal is paid', async () => has(await look(stage), ['paid']))
}

async function ship(stage: Stage, parcel: { trackingNumber: string; carrier: string }): Promise<void> {
  const { trackingNumber, carrier } = parcel
  const { seller } = stage.parties
  await once(stage, ['shipped'], () =>
    seller.call(transactionRoutes.saveTracking, { ...at(stage), body: { trackingNumber, carrier } }),
  )
  // The carrier must know the parcel before it moves, or the news of it would reach nobody.
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

async function moveParcel(stage: Stage, step: Extract<Step, { does: 'move' }>): Promise<void> {
  const { trackingNumber } = await look(stage)
  if (trackingNumber === null) throw new Error(`Deal ${stage.id} has no parcel to move.`)
  await stage.sandbox.move(trackingNumber, step.status, step.message)
  if (step.status !== 'delivered') return
  await eventually('the deal heard of the delivery', async () => has(await look(stage), ['inspection']))
}
