/** The system's texts about a deal. Each says what happened, where the money is, and what comes next. */
import type { EVENTS, EventName, PayloadOf } from '@holdfast/contracts/events'
import { SHIP_BY_DAYS } from '@holdfast/kernel/clocks'
import {
  type CancelCause,
  type DealStatus,
  type DisputeCause,
  type DisputeEndCause,
  ITEM_AFTER_FORCED_REFUND,
  isActive,
  type RefundCause,
} from '@holdfast/kernel/deals'
import { displayAmount } from '@holdfast/kernel/money'
import { asSentence } from '@holdfast/kernel/sentence'

/** The events of a deal, by their names in the contracts. */
export type DealEventName = Extract<EventName, `transaction${string}`>
export type Deal<N extends DealEventName> = PayloadOf<(typeof EVENTS)[N]>

export interface DealText {
  /** The system's message in the chat, the same for both parties. */
  readonly chat: string
  /** The notification; null when another event of the same change notifies both parties. */
  readonly notification: NotificationText | null
}

/** The title of a notification, and its text for each party. */
export interface NotificationText {
  readonly title: string
  readonly buyer: string
  readonly seller: string
}

/** The texts by event. An event of a deal without a text does not compile. */
export const DEAL_TEXTS: { readonly [N in DealEventName]: (deal: Deal<N>) => DealText } = {
  transactionOpened: deal => ({
    chat: `Transaction opened at ${price(deal)}. Next: the buyer pays. The money is then held until the buyer accepts the item.`,
    notification: {
      title: 'New transaction',
      buyer:
        deal.openedBy === deal.sellerId
          ? `A seller offers you “${deal.title}” at ${price(deal)} plus fees. You owe nothing: pay if you want it, or decline.`
          : `“${deal.title}” waits for your payment of ${price(deal)} plus fees.`,
      seller: deal.sellerAccepted
        ? `A buyer wants “${deal.title}” at ${price(deal)}. Do not ship before the payment is held.`
        : `A buyer has named you as the seller of “${deal.title}” at ${price(deal)}. You have accepted nothing, and can decline.`,
    },
  }),
  transactionPaid: deal => ({
    chat: `The buyer has paid: ${money(deal.total, deal)} is held for this transaction. Next: the seller ships within ${SHIP_BY_DAYS} days.`,
    notification: {
      title: 'Payment held',
      buyer: `Your payment of ${money(deal.total, deal)} for “${deal.title}” is held until you accept the item.`,
      seller: deal.sellerAccepted
        ? `The payment for “${deal.title}” is held. Your turn: ship within ${SHIP_BY_DAYS} days.`
        : `The payment for “${deal.title}” is held. Accept by shipping within ${SHIP_BY_DAYS} days, or decline with a refund.`,
    },
  }),
  transactionSecured: deal => ({
    chat: `The buyer’s transfer of ${money(deal.total, deal)} has arrived. It is not final yet. Next: it is confirmed, and then the seller ships.`,
    notification: {
      title: 'Transfer arrived',
      buyer: `Your transfer of ${money(deal.total, deal)} for “${deal.title}” has arrived. It is held as soon as it is confirmed.`,
      seller: `The buyer’s transfer for “${deal.title}” has arrived and is not final. Do not ship before the payment is held.`,
    },
  }),
  transactionFundsReturned: deal => ({
    chat: 'The buyer’s transfer was taken back before it was final. Nothing is held. Next: the buyer pays again.',
    notification: {
      title: 'Transfer taken back',
      buyer: `Your transfer for “${deal.title}” was taken back before it was final. Nothing is held: please pay again.`,
      seller: `The buyer’s transfer for “${deal.title}” was taken back before it was final. Do not ship before a payment is held.`,
    },
  }),
  transactionPaymentFailed: deal => ({
    chat: deal.goesBack
      ? 'Cryptocurrency came too late or was too little. It goes back to the buyer’s wallet. Next: the buyer tries again.'
      : 'An attempt to pay did not go through, and charged nothing. Next: the buyer pays, unless another attempt has paid.',
    notification: {
      title: 'Payment failed',
      buyer: deal.goesBack
        ? `Your cryptocurrency for “${deal.title}” came too late or was too little. It goes back to your wallet; you can pay again.`
        : `An attempt to pay for “${deal.title}” did not go through, and charged nothing. The transaction shows whether it still waits for a payment.`,
      seller: `A payment for “${deal.title}” did not go through. Do not ship before a payment is held.`,
    },
  }),
  transactionHandoverStarted: deal => ({
    chat: 'The seller hands the item over without a carrier. The money stays held. Next: the buyer confirms the delivery.',
    notification: {
      title: 'Hand-over started',
      buyer: `The seller hands “${deal.title}” over without a carrier. Confirm the delivery once you have it.`,
      seller: `You started to hand over “${deal.title}”. The buyer confirms once they have it.`,
    },
  }),
  transactionShipped: deal =>
    deal.isCorrection
      ? {
          chat: `The seller has corrected the tracking details: the item was shipped${byCarrier(deal)}.`,
          notification: {
            title: 'Tracking corrected',
            buyer: `The seller has corrected the tracking details of “${deal.title}”: it was shipped${byCarrier(deal)}.`,
            seller: `You corrected the tracking details of “${deal.title}”: it was shipped${byCarrier(deal)}.`,
          },
        }
      : {
          chat: `The seller has shipped the item${byCarrier(deal)}. The money stays held. Next: the item arrives and the buyer inspects it.`,
          notification: {
            title: 'Item shipped',
            buyer: `“${deal.title}” is on its way${byCarrier(deal)}.`,
            seller: `The shipment of “${deal.title}” is recorded${byCarrier(deal)}.`,
          },
        },
  transactionDelivered: deal => ({
    chat: 'The item has been delivered.',
    notification: {
      title: 'Item delivered',
      buyer: `“${deal.title}” has been delivered. Please look at it closely.`,
      seller: `“${deal.title}” has been delivered.`,
    },
  }),
  transactionInspectionStarted: deal => ({
    chat: 'The inspection period has begun. Next: the buyer accepts the item or files a dispute. If neither happens in that time, the money goes to the seller.',
    notification: {
      title: 'Inspection period started',
      buyer: `Your turn: accept “${deal.title}” or file a dispute. When the inspection period has ended, the money goes to the seller.`,
      seller: `The buyer inspects “${deal.title}” now.`,
    },
  }),
  transactionCompleted: deal => ({
    chat: `The transaction is complete: the money is released, and ${money(deal.sellerNet, deal)} goes to the seller after fees. Thank you both.`,
    notification: {
      title: 'Transaction completed',
      buyer: `“${deal.title}” is complete: ${money(deal.sellerNet, deal)} is released to the seller, after fees.`,
      seller: `“${deal.title}” is sold: ${money(deal.sellerNet, deal)} is released to you, after fees.`,
    },
  }),
  transactionCancelled: deal => {
    const money = deal.wasFunded ? 'The buyer gets the money back.' : 'No money is held for it.'
    const why = [CANCELLED_BECAUSE[deal.cause], deal.cause !== 'chargeback' && money].filter(Boolean).join(' ')
    const both = `“${deal.title}” is cancelled. ${why}`
    return {
      chat: `The transaction is cancelled. ${why}`,
      // A deal that was paid is cancelled by its refund or chargeback, and that event notifies.
      notification: deal.wasFunded ? null : { title: 'Transaction cancelled', buyer: both, seller: both },
    }
  },
  transactionRefunded: deal => {
    const refund = money(deal.refund, deal)
    // A refund of a part, made at the provider, stops the deal and does not end it.
    const isPart = deal.status === 'disputed'
    const is = isPart ? 'is on hold' : deal.status === 'completed' ? 'is complete' : 'is cancelled'
    const why = isPart ? PART_REFUNDED : REFUNDED_BECAUSE[deal.cause]
    const forced = forcedRefundWords(deal)
    return {
      chat: `${refund} goes back to the buyer. It may take some days to arrive.${forced.both}`,
      notification: {
        title: 'Refund on its way',
        buyer: `“${deal.title}” ${is}: ${why.buyer}. ${refund} is on its way back to you. It may take some days to arrive.${forced.buyer}`,
        seller: `“${deal.title}” ${is}: ${why.seller}. ${refund} goes back to the buyer.${forced.seller}`,
      },
    }
  },
  transactionRefundFailed: deal => {
    const text = isActive(deal.status)
      ? `The refund of ${money(deal.refund, deal)} failed. The money is held again.`
      : `The refund of ${money(deal.refund, deal)} did not reach the buyer. Holdfast still owes it and is working on it.`
    return {
      chat: text,
      notification: sameForBoth('Refund failed', deal, text),
    }
  },
  transactionDisputed: deal => {
    const why = DISPUTED_BECAUSE[deal.cause]
    const held = deal.cause === 'provider_refund' ? 'The rest of the money' : 'The money'
    const then =
      deal.cause === 'filed'
        ? `${held} stays held until the dispute is resolved. A dispute does not move the deadlines of the party who files it.`
        : `${held} stays held and every deadline is paused until it is resolved.`
    return {
      chat: `${why} ${then}`,
      notification: sameForBoth('Dispute opened', deal, `${why} ${then}`),
    }
  },
  transactionChargebackOpened: deal => {
    const text = `The buyer’s bank disputes the payment and has asked for ${deal.isOtherCurrency ? 'it' : money(deal.chargeback, deal)} back. It decides within some weeks.${deal.status === 'disputed' ? STOPPED_MEANWHILE : ''}`
    return {
      chat: text,
      notification: sameForBoth('Payment disputed by a bank', deal, text),
    }
  },
  transactionChargebackClosed: deal => {
    const text =
      deal.outcome === 'won'
        ? `The buyer’s bank has decided that the payment${deal.isOtherCurrency ? '' : ` of ${money(deal.chargeback, deal)}`} stands. ${AFTER_WON[afterOf(deal)]}`
        : `The buyer’s bank has given ${money(deal.chargeback, deal)} back to the buyer.${AFTER_LOST[afterOf(deal)]}`
    return {
      chat: text,
      notification: sameForBoth('A bank has decided', deal, text),
    }
  },
  transactionDisputeEnded: deal => {
    const why = DISPUTE_ENDED_BECAUSE[deal.cause]
    return {
      chat: `The dispute about the delivery has ended. ${why}`,
      notification: {
        title: 'Dispute ended',
        buyer: `The dispute about “${deal.title}” has ended. ${why}`,
        seller: `The dispute about “${deal.title}” has ended. ${why}`,
      },
    }
  },
  transactionResumed: deal => {
    const then = deal.clock ? ' Its deadline runs again.' : ''
    return {
      chat: `The dispute was withdrawn. The transaction goes on where it stopped.${then}`,
      notification: {
        title: 'Dispute withdrawn',
        buyer: `The dispute about “${deal.title}” was withdrawn, and the transaction goes on.${then}`,
        seller: `The dispute about “${deal.title}” was withdrawn, and the transaction goes on.${then}`,
      },
    }
  },
}

/** A notification with one text about the deal for both parties. */
function sameForBoth(title: string, deal: { readonly title: string }, text: string): NotificationText {
  const about = `“${deal.title}”: ${text}`
  return { title, buyer: about, seller: about }
}

const STOPPED_MEANWHILE = ' Until then no time limit of the dispute runs.'
const TIME_GOES_ON = 'The time limits of the dispute go on with the time that was left.'
const ANOTHER_DECISION =
  'The bank has not decided yet about another part of the payment, so the transaction stays on hold.'

interface Decided {
  readonly status: DealStatus
  readonly waitsForBank: boolean | null
}

/** What a payment that stands means for the deal. */
const AFTER_WON = {
  waits: ANOTHER_DECISION,
  stopped: `The transaction stays on hold, because a dispute is open. ${TIME_GOES_ON}`,
  unknown: 'The transaction stays on hold.',
  cancelled: 'Nothing changes for the transaction.',
  ended: 'Nothing changes for the transaction.',
  goesOn: 'The transaction goes on.',
} as const

/** What follows after a payment that the bank has given back. */
const AFTER_LOST: Readonly<Record<keyof typeof AFTER_WON, string>> = {
  waits: ` ${ANOTHER_DECISION}`,
  stopped: ` The rest stays held. ${TIME_GOES_ON}`,
  unknown: ' The rest stays held.',
  cancelled: ' The transaction is cancelled, and the seller gets nothing for it.',
  ended: ' The Payments tab of the seller’s profile shows what was taken from the seller’s balance.',
  goesOn: '',
}

function afterOf({ status, waitsForBank }: Decided): keyof typeof AFTER_WON {
  // An event of an older release does not say whether another bank has still to decide.
  if (status === 'disputed') return waitsForBank === null ? 'unknown' : waitsForBank ? 'waits' : 'stopped'
  if (status === 'cancelled') return 'cancelled'
  return isActive(status) ? 'goesOn' : 'ended'
}

/** The reason of a cancellation; null when a party cancelled, which needs no reason. */
const CANCELLED_BECAUSE: Readonly<Record<CancelCause, string | null>> = {
  cancel: null,
  endPaymentWindow: 'It was not paid in time.',
  endShipBy: 'It was not shipped in time.',
  refund: 'The seller refunds it.',
  chargeback: 'The buyer’s bank has given the payment back to the buyer.',
  provider_refund: 'The payment was refunded.',
  forceRefund: 'Holdfast refunds it.',
  settlement: 'The parties settled the dispute.',
  ruling: 'This is the ruling of the dispute.',
  return: 'The item came back to the seller.',
}

/** The reason of a refund, as each party reads it. */
const REFUNDED_BECAUSE: Readonly<Record<RefundCause, { readonly buyer: string; readonly seller: string }>> = {
  endShipBy: { buyer: 'the seller did not ship it in time', seller: 'you did not ship it in time' },
  refund: { buyer: 'the seller refunds your payment', seller: 'you refund the payment' },
  provider_refund: { buyer: 'Holdfast refunds your payment', seller: 'Holdfast refunds the payment' },
  forceRefund: { buyer: 'Holdfast refunds your payment', seller: 'Holdfast refunds the payment' },
  settlement: { buyer: 'you settled the dispute', seller: 'you settled the dispute' },
  ruling: { buyer: 'this is the ruling of the dispute', seller: 'this is the ruling of the dispute' },
  return: { buyer: 'the item came back to the seller', seller: 'the item came back to you' },
}
/** What is added when Holdfast refunded the deal: why, in the operator's words, and what it means for the item. */
function forcedRefundWords({
  forced,
}: Deal<'transactionRefunded'>): Readonly<Record<'both' | 'buyer' | 'seller', string>> {
  if (!forced) return { both: '', buyer: '', seller: '' }
  const reason = forced.reason === null ? '' : ` Holdfast’s reason: “${asSentence(forced.reason)}”`
  const { buyer, seller } = ITEM_AFTER_FORCED_REFUND[forced.item]
  return { both: reason, buyer: `${reason} ${buyer}`, seller: `${reason} ${seller}` }
}

/** The reason when Holdfast has refunded a part of the payment. */
const PART_REFUNDED = {
  buyer: 'Holdfast refunds a part of your payment',
  seller: 'Holdfast refunds a part of the payment',
} as const

const DISPUTED_BECAUSE: Readonly<Record<DisputeCause, string>> = {
  filed: 'A dispute was filed.',
  receive_by:
    'The delivery was not confirmed in time, so a dispute was opened. It ends when the buyer confirms the delivery, the carrier reports it, the seller refunds, both of you settle, or a mediator rules.',
  chargeback: 'The buyer’s bank disputes the payment. It decides within some weeks.',
  provider_refund: 'A part of the payment was refunded, so the transaction cannot go on as agreed.',
}

const DISPUTE_ENDED_BECAUSE: Readonly<Record<DisputeEndCause, string>> = {
  recordDelivery: 'The carrier reports that the item was delivered.',
  confirmDelivery: 'The buyer confirmed that the item arrived.',
  refund: 'The seller refunds the buyer in full.',
  forceRefund: 'Holdfast refunds the buyer in full.',
}

const money = (amount: string, { currency }: { currency: string }): string => displayAmount(amount, currency)
const price = (deal: { amount: string; currency: string }): string => displayAmount(deal.amount, deal.currency)

function byCarrier({ carrier, trackingNumber }: { carrier: string | null; trackingNumber: string }): string {
  return `${carrier ? ` with ${carrier}` : ''}, tracking number ${trackingNumber}`
}
