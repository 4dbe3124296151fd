/** The notifications about a user's plan. Each says which fees apply, and what the user can do. */
import type {
  PayloadOf,
  planChanged,
  subscriptionCancelled,
  subscriptionPaymentFailed,
} from '@holdfast/contracts/events'
import { displayAmount } from '@holdfast/kernel/money'
import type { CancelReason, PlanChangeReason } from '@holdfast/kernel/subscriptions'

interface PlanText {
  readonly title: string
  readonly message: string
}

/** The texts by the reason of a change. A reason without a text does not compile. */
const PLAN_TEXTS: Readonly<Record<PlanChangeReason, PlanText>> = {
  subscribed: {
    title: 'Welcome to Premium',
    message: 'The transactions that you open from now on have the Premium fee.',
  },
  recovered: {
    title: 'Premium is back',
    message: 'Your payment has arrived. The transactions that you open from now on have the Premium fee.',
  },
  unpaid: {
    title: 'Premium has ended',
    message:
      'Your card could not be charged in time. The transactions that you open from now on have the Standard fee. Premium comes back when you pay what is open.',
  },
  ended: {
    title: 'Premium has ended',
    message:
      'The transactions that you open from now on have the Standard fee. Those under way keep the fee with which they were opened.',
  },
  refunded: {
    title: 'Premium has ended',
    message:
      'Your payment for Premium was refunded in full, and nothing more is charged. The transactions that you open from now on have the Standard fee. Those under way keep the fee with which they were opened.',
  },
  charged_back: {
    title: 'Premium has ended',
    message:
      'Your bank took back your payment for Premium, and nothing more is charged. The transactions that you open from now on have the Standard fee. Those under way keep the fee with which they were opened. Premium comes back if your bank decides that the payment was right.',
  },
  suspended: {
    title: 'Premium has ended',
    message:
      'Your account is suspended, so nothing more is charged for Premium, and it has ended. Transactions under way keep the fee with which they were opened.',
  },
}

export const textOfChange = ({ reason }: PayloadOf<typeof planChanged>): PlanText => PLAN_TEXTS[reason]

/** A date as mails and notifications write it: users of one notification live in many time zones. */
const day = (at: string) =>
  new Date(at).toLocaleDateString('en-US', { year: 'numeric', month: 'short', day: 'numeric', timeZone: 'UTC' })

export const textOfFailure = (failure: PayloadOf<typeof subscriptionPaymentFailed>): PlanText => ({
  title: 'Payment for Premium failed',
  message: `${displayAmount(failure.amount, failure.currency)} could not be charged to your card. You keep Premium until ${day(failure.premiumUntil)}. Pay with another card before then.`,
})

/** Why we have cancelled a subscription. A reason without a text does not compile. */
const CANCELLED: Readonly<Record<CancelReason, string>> = {
  suspension: 'Your account is suspended, so nothing more is charged for Premium.',
  chargeback: 'Your bank took back a payment for Premium, so nothing more is charged to your card.',
}

export const textOfCancellation = ({ reason, premiumUntil }: PayloadOf<typeof subscriptionCancelled>): PlanText => ({
  title: 'Premium is cancelled',
  message: `${CANCELLED[reason]} What you have paid lasts until ${day(premiumUntil)}.`,
})
