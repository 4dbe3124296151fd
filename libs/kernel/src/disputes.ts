/** The vocabulary of disputes (spec sections 4 and 9). */

/**
 * The reasons for which a party may file a dispute. The spec names other reasons in the dialog than in the wizard. The server
 * accepts all of them.
 */
export const FILED_DISPUTE_REASONS = [
  'item_not_received',
  'item_not_as_described',
  'damaged_item',
  'seller_unresponsive',
  'payment_issues',
  'other',
  'item-not-received',
  'item-not-as-described',
  'item-damaged',
  'seller-non-responsive',
  'shipping-issues',
] as const
export type FiledDisputeReason = (typeof FILED_DISPUTE_REASONS)[number]

/** The reasons of disputes that only the system files. */
export const SYSTEM_DISPUTE_REASONS = ['chargeback', 'provider_refund'] as const

export const DISPUTE_REASONS = [...FILED_DISPUTE_REASONS, ...SYSTEM_DISPUTE_REASONS] as const
export type DisputeReason = (typeof DISPUTE_REASONS)[number]

export const DISPUTE_STATUSES = ['open', 'investigating', 'resolved', 'closed'] as const
export type DisputeStatus = (typeof DISPUTE_STATUSES)[number]

/** The most disputes that one party may file on a deal. It is limited because each one stops the deal's clock. */
export const MAX_DISPUTES_PER_PARTY = 3
export const MAX_DISPUTE_DESCRIPTION_LENGTH = 4000
