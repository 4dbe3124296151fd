import type { DisputeReason } from '@holdfast/kernel/disputes'

export interface ReasonOption {
  readonly value: DisputeReason
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

const LABELS = new Map<string, string>([...DIALOG_REASONS, ...WIZARD_REASONS].map(({ value, label }) => [value, label]))

/** A reason in words; what the system files has reasons of its own, shown as they are written. */
export const reasonLabel = (reason: string) => LABELS.get(reason) ?? reason.replace(/[_-]/g, ' ')
