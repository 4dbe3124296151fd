/** The words of the console for what the server names by a code. */
import type { AdminAct, ApprovalState, GuardedAct, ProviderEventReason, StuckKind } from '@holdfast/kernel/admin'
import type { RefundStatus } from '@holdfast/kernel/payments'
import type { PayoutStatus } from '@holdfast/kernel/payouts'
import type { BadgeLooks } from '../../components/badge.js'

export const ACT_WORDS: Readonly<Record<AdminAct, string>> = {
  'refund.send_again': 'Refund sent again',
  'refund.force': 'Deal refunded',
  'ledger.adjust': 'Ledger adjusted',
  'payout.send_again': 'Paid out again',
  'approval.ask': 'Approval asked for',
  'approval.reject': 'Request rejected',
  'approval.approve': 'Request approved',
  'dead_letter.replay': 'Dead letters replayed',
  'provider_event.done': 'Provider event done',
  'user.change_role': 'Role changed',
  'user.end_sessions': 'Sessions ended',
  'user.close': 'Account closed',
  'user.remove_second_factors': 'Second factors removed',
  'user.verify': 'User verified',
  'user.suspend': 'User suspended',
  'user.restore': 'Suspension ended',
  'user.unverify': 'Verification rejected',
  'verification.look': 'Identity documents seen',
  'dispute.investigate': 'Dispute taken',
  'dispute.rule': 'Dispute ruled on',
}

export const GUARDED_WORDS: Readonly<Record<GuardedAct, string>> = {
  'refund.force': 'Refund a deal in full',
  'ledger.adjust': 'Adjust the ledger',
  'payout.send_again': 'Pay a seller out again',
}

export const STUCK_WORDS: Readonly<Record<StuckKind, string>> = {
  clock_overdue: 'Clock not ended',
  disputed_without_dispute: 'Stopped without a dispute',
  payment_unknown: 'Payment without an outcome',
  seller_negative: 'Seller below zero',
  closed_with_balance: 'Money of a closed account',
  refund_failed: 'Refund failed',
  dispute_waits_for_escrow: 'Dispute not carried out',
  payout_waits: 'Payout not carried out',
  payout_unanswered: 'Payout without an answer',
  chargeback_not_booked: 'Chargeback not booked',
  not_checked: 'Disputes not checked',
}

export const PROVIDER_EVENT_WORDS: Readonly<Record<ProviderEventReason, string>> = {
  unfitting: 'Does not fit what is stored',
  refund_of_ended_deal: 'Refunded at the provider after the deal had ended',
  refund_of_ended_deal_failed: 'A refund at the provider after the deal had ended has failed',
  chargeback_returned: 'A bank gave back what an ended deal had lost',
}

export const APPROVAL_LOOKS: Readonly<Record<ApprovalState, BadgeLooks>> = {
  waiting: { dot: 'yellow', label: 'Waits' },
  approved: { tone: 'held', label: 'Approved' },
  rejected: { label: 'Rejected' },
  expired: { label: 'Expired' },
}

/** What came of an act that may need a second admin. */
export const askedWords = (
  { state }: { readonly state: 'done' | 'waiting' },
  done: string,
): readonly [string, string] =>
  state === 'done' ? ['Done', done] : ['Waits for a second admin', 'Another admin finds it under Approvals.']

export const REFUND_LOOKS: Readonly<Record<RefundStatus, BadgeLooks>> = {
  due: { label: 'Waits to be sent' },
  sent: { label: 'Sent' },
  confirmed: { tone: 'held', label: 'Confirmed' },
  failed: { tone: 'trouble', label: 'Failed' },
  void: { label: 'Void' },
}

const PAYOUT_LOOKS: Readonly<Record<PayoutStatus, BadgeLooks>> = {
  scheduled: { label: 'Waits to be sent' },
  in_transit: { label: 'On its way' },
  paid: { tone: 'held', label: 'Paid' },
  returned: { tone: 'trouble', label: 'Came back' },
}

/** A payout that failed and whose money is not back yet has the status that it had before. */
export const payoutLooks = ({ status, failure }: { readonly status: PayoutStatus; readonly failure: string | null }) =>
  failure !== null && status !== 'returned'
    ? ({ tone: 'trouble', label: 'Failed, on its way back' } satisfies BadgeLooks)
    : PAYOUT_LOOKS[status]
