/** The provider's names for why a refund failed (docs.stripe.com/refunds, "Failed refunds"). */
const REFUND_FAILURES: Readonly<Record<string, string>> = {
  expired_or_canceled_card: 'The card is expired or closed',
  lost_or_stolen_card: 'The card is lost or stolen',
  declined: 'The bank declined it',
  insufficient_funds: 'Our balance at the provider is too low',
  charge_for_pending_refund_disputed: 'The buyer has disputed the charge at the bank',
  merchant_request: 'It was cancelled at the provider',
  unknown: 'The provider does not say why',
}
/** Why a refund has failed or was not sent yet, in words where the provider's name for it is known. */
export const refundError = (error: string): string => REFUND_FAILURES[error] ?? error
