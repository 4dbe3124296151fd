import type { FiledDisputeReason, SYSTEM_DISPUTE_REASONS } from '@holdfast/kernel/disputes'

export interface ReasonOption {
  readonly value: FiledDisputeReason
  readonly label: string
}

/** The dialog and the wizard each have their own list of reasons (spec section 9). */
export const DIALOG_REASONS: readonly ReasonOption[] = [
  { value: 'item_not_received', label: 'Item not received' },
  { value: 'item_not_as_described', label: 'Item not as described' },
  { value: 'damaged_item', label: 'Damaged item' },
  { value: 'seller_unresponsive', label: 'Seller unresponsive' },
  { value: 'payment_issues', label: 'Payment issues' },
  { value: 'other', label: 'Other' },
]

export const WIZARD_REASONS: readonly ReasonOption[] = [
  { value: 'item-not-received', label: 'Item not received' },
  { value: 'item-not-as-described', label: 'Item not as described' },
  { value: 'item-damaged', label: 'Item damaged' },
  { value: 'seller-non-responsive', label: 'Seller non-responsive' },
  { value: 'shipping-issues', label: 'Shipping issues' },
  { value: 'other', label: 'Other' },
]

/** The reasons of the disputes that only the system files. */
const SYSTEM_LABELS: Readonly<Record<(typeof SYSTEM_DISPUTE_REASONS)[number], string>> = {
  chargeback: 'Payment disputed by the buyer’s bank',
  provider_refund: 'A part of the payment was refunded',
}

const LABELS = new Map<string, string>([
  ...[...DIALOG_REASONS, ...WIZARD_REASONS].map(({ value, label }) => [value, label] as const),
  ...Object.entries(SYSTEM_LABELS),
])

/** A reason in words. One that this release does not know is shown as it is written, with a capital letter. */
export const reasonLabel = (reason: string) => LABELS.get(reason) ?? capitalised(reason.replace(/[_-]/g, ' '))

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
