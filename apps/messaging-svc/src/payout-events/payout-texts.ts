/** The notifications about a seller's payouts. Each says where the money is. */
import type { EVENTS, EventName, PayloadOf } from '@holdfast/contracts/events'
import { displayAmount } from '@holdfast/kernel/money'
import { PAYOUT_ACCOUNT_WAIT_DAYS } from '@holdfast/kernel/payouts'

/** The events of a payout and of the account into which it goes, by their names in the contracts. */
export type PayoutEventName = Extract<EventName, `payout${string}`>
type Payout<N extends PayoutEventName> = PayloadOf<(typeof EVENTS)[N]>

interface PayoutText {
  readonly title: string
  readonly message: string
}

/** The texts by event. An event of a payout without a text does not compile. */
export const PAYOUT_TEXTS: { readonly [N in PayoutEventName]: (payout: Payout<N>) => PayoutText } = {
  payoutSent: payout => ({
    title: 'Payout on its way',
    message: `${amountOf(payout)} is on its way to ${bankOf(payout)}. Banks take one to three days.`,
  }),
  payoutPaid: payout => ({
    title: 'Payout paid',
    message: `${amountOf(payout)} has arrived at ${bankOf(payout)}.`,
  }),
  payoutReturned: payout => ({
    title: 'Payout returned',
    message: `${amountOf(payout)} did not reach ${bankOf(payout)} and is on your balance again. ${payout.failure}`,
  }),
  payoutAccountChanged: ({ bankLabel, waitsUntil }) => ({
    title: waitsUntil === null ? 'Payout account added' : 'Payout account changed',
    message:
      waitsUntil === null
        ? `Your sales are paid out to ${bankLabel ?? 'your bank'} from now on. If it was not you, set a new password at once.`
        : `Your sales are to be paid out to ${bankLabel ?? 'another bank account'}. Payouts wait for ${PAYOUT_ACCOUNT_WAIT_DAYS} days, unless you confirm it with the link that we have mailed you. If it was not you, set a new password at once.`,
  }),
}

const amountOf = ({ amount, currency }: Payout<'payoutSent'>) => displayAmount(amount, currency)
const bankOf = ({ bankLabel }: Payout<'payoutSent'>) => bankLabel ?? 'your bank'
