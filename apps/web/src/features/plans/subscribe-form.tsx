import type { OpenedSubscription } from '@holdfast/contracts/subscriptions'
import { displayAmount } from '@holdfast/kernel/money'
import { paths } from '../../lib/paths.js'
import { CardEntry } from '../payment/shared/card-entry.js'
import { SavedCardEntry } from '../payment/shared/saved-card-button.js'
import { SavedCardChoice } from '../payment/shared/saved-card-choice.js'

interface SubscribeFormProps {
  opened: OpenedSubscription
  problem: string | null
  onPaid: () => void
  /** Whether a card is with the provider now. */
  onBusy: (busy: boolean) => void
}

/** Pays for Premium with a saved card or another one. */
export default function SubscribeForm({ opened, problem, onPaid, onBusy }: SubscribeFormProps) {
  const entry = {
    at: opened,
    label: `Pay ${displayAmount(opened.amount, opened.currency)}`,
    returnPath: paths.subscribe,
    problem,
    onDone: onPaid,
    onBusy,
  }
  // Another secret is another payment, so the form begins anew, without the refusal of the last card.
  return (
    <SavedCardChoice key={opened.clientSecret} saved={card => <SavedCardEntry {...entry} card={card} />}>
      <CardEntry {...entry} />
    </SavedCardChoice>
  )
}
