import type { ProviderPayment } from '../provider.js'

/** What both card entries take: our own fields for the sandbox, the provider's own for Stripe. */
export interface CardEntryProps {
  readonly at: ProviderPayment
  /** The words of the button, such as `Pay $30.00` or `Save Card`. */
  readonly label: string
  /** The page to which the holder's bank leads back. */
  readonly returnPath: string
  /** The provider's refusal of the last card; null when there is none. */
  readonly problem?: string | null
  readonly onDone: () => void
  /** As in `CardOutcome`. */
  readonly onBusy?: ((busy: boolean) => void) | undefined
}
