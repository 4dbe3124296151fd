import type { Transaction } from '@holdfast/contracts/transactions'
import { displayAmount, formatAmount, parseAmount } from '@holdfast/kernel/money'

/** What a party can do on the page itself, each behind a question that says what it does to the money. */
export const CONFIRMED_COMMANDS = ['accept', 'confirm_delivery', 'start_handover', 'refund', 'cancel'] as const
export type ConfirmedCommand = (typeof CONFIRMED_COMMANDS)[number]

type Deal = Pick<
  Transaction,
  | 'status'
  | 'amount'
  | 'currency'
  | 'money'
  | 'completesOnDelivery'
  | 'listing'
  | 'viewerRole'
  | 'openedBy'
  | 'sellerAccepted'
> &
  Record<'buyer' | 'seller', { firstName: string }>

/** The words of a command: its button, and the question before it. */
export interface CommandWords {
  readonly button: string
  readonly title: string
  readonly question: string
  /** Where the held money goes, to the cent; empty where it stays. */
  readonly split: readonly { readonly label: string; readonly amount: string }[]
  readonly confirm: string
  readonly busy: string
  /** Whether it gives away what cannot be had back. */
  readonly final: boolean
}

/** What a command is called, and what it does to the money of this deal. */
export function commandWords(command: ConfirmedCommand, deal: Deal): CommandWords {
  return WORDS[command](deal)
}

const REFUND_ENDS = 'The transaction ends, you receive nothing, and this cannot be taken back.'

const WORDS: Record<ConfirmedCommand, (deal: Deal) => CommandWords> = {
  accept: deal => ({
    button: 'Accept Item',
    title: 'Accept the item?',
    question: `The money leaves the hold at once, and this cannot be taken back. If something is wrong with the item, file a dispute instead.`,
    split: releaseSplit(deal),
    confirm: `Accept and Release ${displayAmount(deal.money.sellerNet, deal.currency)}`,
    busy: 'Accepting...',
    final: true,
  }),
  confirm_delivery: deal =>
    deal.completesOnDelivery
      ? {
          button: confirmButton(deal),
          title: 'Has the item arrived?',
          question: `${notSentYet(deal)}It was sold as-is, with no inspection period: confirming delivery releases the money to ${deal.seller.firstName} at once, and this cannot be taken back. Look at the item first.`,
          split: releaseSplit(deal),
          confirm: `It Arrived, Release ${displayAmount(deal.money.sellerNet, deal.currency)}`,
          busy: 'Confirming...',
          final: true,
        }
      : {
          button: confirmButton(deal),
          title: 'Has the item arrived?',
          question: `${notSentYet(deal)}The inspection period of ${deal.listing.inspectionPeriod} days begins. The money stays held until you accept the item, or that time ends without a dispute.`,
          split: [],
          confirm: 'It Arrived',
          busy: 'Confirming...',
          final: false,
        },
  start_handover: deal => ({
    button: 'Hand Over in Person',
    title: 'Hand the item over without a carrier?',
    question: `${acceptsByThis(deal)}There will be no tracking: only ${deal.buyer.firstName} can say that the item arrived. The money stays held until then.`,
    split: [],
    confirm: 'Hand Over in Person',
    busy: 'Saving...',
    final: false,
  }),
  refund: deal => ({
    ...refundWords(deal),
    split: [{ label: `Back to ${deal.buyer.firstName}`, amount: deal.money.held }],
    final: true,
  }),
  cancel: deal => ({
    ...(deal.openedBy === deal.viewerRole
      ? {
          button: 'Cancel Transaction',
          title: 'Cancel this transaction?',
          confirm: 'Cancel Transaction',
          busy: 'Cancelling...',
        }
      : {
          button: 'Decline Transaction',
          title: 'Decline this transaction?',
          confirm: 'Decline Transaction',
          busy: 'Declining...',
        }),
    question:
      'This is possible only before it is paid. Money that is on its way comes back whole. The transaction is removed for both of you.',
    split: [],
    final: true,
  }),
}

/** A seller who has accepted nothing declines. They give nothing back: nothing of it was ever theirs. */
function refundWords(deal: Deal): Pick<CommandWords, 'button' | 'title' | 'question' | 'confirm' | 'busy'> {
  const { buyer, money, currency, sellerAccepted } = deal
  const amount = displayAmount(money.held, currency)
  if (!sellerAccepted)
    return {
      button: 'Decline Transaction',
      title: 'Decline this transaction?',
      question: `Everything ${buyer.firstName} paid goes back, fees included. You pay nothing. The transaction ends, and this cannot be taken back.`,
      confirm: 'Decline Transaction',
      busy: 'Declining...',
    }
  const words = { confirm: `Refund ${amount}`, busy: 'Refunding...' }
  return money.held === money.buyerTotal
    ? {
        ...words,
        button: 'Refund in Full',
        title: `Refund ${buyer.firstName} in full?`,
        question: `Everything ${buyer.firstName} paid goes back, fees included. ${REFUND_ENDS}`,
      }
    : {
        ...words,
        button: 'Refund the Rest',
        title: `Refund the rest to ${buyer.firstName}?`,
        question: `Everything that is still held goes back to ${buyer.firstName}, fees included. ${REFUND_ENDS}`,
      }
}

/** The buyer may confirm before the seller says that the item was sent. The words then do not suggest a next step. */
const confirmButton = ({ status }: Pick<Deal, 'status'>) =>
  status === 'paid' ? 'I Already Have the Item' : 'Confirm Delivery'

/** What the buyer should know before they confirm a delivery that the seller has not announced; empty otherwise. */
export const notSentYet = ({ status, seller }: Pick<Deal, 'status' | 'seller'>) =>
  status === 'paid'
    ? `${seller.firstName} has not said that the item was sent. Confirm only if you already have it in your hands. `
    : ''

/** What a seller should know before the first thing that they do in a deal whose terms they have not signed; empty otherwise. */
export const acceptsByThis = ({ sellerAccepted, buyer }: Pick<Deal, 'sellerAccepted' | 'buyer'>) =>
  sellerAccepted ? '' : `By this you accept the terms of this transaction as ${buyer.firstName} wrote them. `

/** How the hold is divided when it is released: the seller's part, and the fees of both. They sum to what is held. */
function releaseSplit({ money, currency, seller }: Deal): CommandWords['split'] {
  const code = currency as Parameters<typeof parseAmount>[1]
  const fees = formatAmount(parseAmount(money.buyerFee, code) + parseAmount(money.sellerFee, code), code)
  return [
    { label: `To ${seller.firstName}`, amount: money.sellerNet },
    { label: 'Holdfast’s fees (already paid in)', amount: fees },
  ]
}
