/** What operators do in the console, and what of it needs a second one. */

/** The acts that are kept. Each name is the thing and what was done to it. */
export const ADMIN_ACTS = [
  'refund.send_again',
  'refund.force',
  'ledger.adjust',
  'payout.send_again',
  'approval.ask',
  'approval.reject',
  'approval.approve',
  'dead_letter.replay',
  'provider_event.done',
  'user.change_role',
  'user.end_sessions',
  'user.close',
  'user.suspend',
  'user.restore',
  'user.remove_second_factors',
  'user.verify',
  'user.unverify',
  'verification.look',
  'dispute.investigate',
  'dispute.rule',
] as const
export type AdminAct = (typeof ADMIN_ACTS)[number]

/** The acts that wait for a second admin when they move more than `FOUR_EYES_ABOVE_MINOR` of escrow-svc. */
export const GUARDED_ACTS = [
  'refund.force',
  'ledger.adjust',
  'payout.send_again',
] as const satisfies readonly AdminAct[]
export type GuardedAct = (typeof GUARDED_ACTS)[number]

export const APPROVAL_STATES = ['waiting', 'approved', 'rejected', 'expired'] as const
export type ApprovalState = (typeof APPROVAL_STATES)[number]
export const APPROVAL_DECISIONS = ['approve', 'reject'] as const
export type ApprovalDecision = (typeof APPROVAL_DECISIONS)[number]
/** A request of an admin that was not decided in this time expires: it can no longer be approved. */
export const APPROVAL_DAYS = 7

/**
 * An admin whom another admin has appointed counts for acts that need two admins only after this time, as the one who asks and as
 * the one who approves. It is not shorter than `APPROVAL_DAYS`, so no admin can appoint a second account of their own for a request
 * that waits already, and the other admins have this time to notice the appointment.
 */
export const APPROVER_AFTER_DAYS = 7
/** What an admin reads when something cannot be approved or done because of an appointment. */
export const TOO_NEW_TEXTS = {
  asker: `The admin who asked for this does not count as one of the two admins: they were appointed less than ${APPROVER_AFTER_DAYS} days ago, or are not an admin any more. Another admin must ask for it.`,
  approver: `You do not count as one of the two admins yet: you were appointed less than ${APPROVER_AFTER_DAYS} days ago. Another admin must approve this.`,
  decider: `You were appointed less than ${APPROVER_AFTER_DAYS} days ago, so you cannot decide yet on a case in which another mediator has ruled. Another mediator must decide it.`,
  taker: `You were appointed less than ${APPROVER_AFTER_DAYS} days ago, so you cannot take the role from another admin yet.`,
} as const
/** The most users whose names a list of the console asks for at once. */
export const MAX_NAMES = 100
/** The most admins whose approvals count. */
export const MAX_APPROVERS = 1000

export const MAX_ADMIN_REASON_LENGTH = 500

/** What the console lists under `/admin/stuck`: cases that do not go on by themselves. */
export const STUCK_KINDS = [
  'clock_overdue',
  'disputed_without_dispute',
  'payment_unknown',
  'seller_negative',
  'closed_with_balance',
  'refund_failed',
  'dispute_waits_for_escrow',
  'payout_waits',
  'payout_unanswered',
  'chargeback_not_booked',
  'not_checked',
] as const
export type StuckKind = (typeof STUCK_KINDS)[number]

/** A clock that is due for longer than this was not ended as it should be. Timers end a clock within some seconds. */
export const STUCK_CLOCK_SECONDS = 90
/**
 * `payment_window` and `receive_by` end only after the payment provider or the carrier has answered, which may take a day. The alert
 * `DealsWaitForAnAnswer` waits as long.
 */
export const STUCK_ASKING_CLOCK_SECONDS = 25 * 3600
/** A payment that is older than this and has no outcome from the provider needs an operator. */
export const STUCK_PAYMENT_SECONDS = 3600
/** Money of a bank transfer is `processing` until it is final, which takes days by design. */
export const STUCK_TRANSFER_SECONDS = 5 * 24 * 3600
/** A deal is frozen a moment before dispute-svc knows the answer. A shorter difference is not a fault. */
export const STUCK_DISPUTE_SECONDS = 90

/** Calls of dispute-svc to escrow-svc are repeated every ten seconds. One that is not answered for this long needs an operator. */
export const STUCK_DISPUTE_CALL_SECONDS = 600
/**
 * A payout is sent, and the money of one that failed is taken back, within minutes. After this time it needs an operator. The pause
 * between attempts is never longer, so the provider has failed to answer at least twice about a payout that is listed as unanswered.
 */
export const STUCK_PAYOUT_SECONDS = 3600

/** The most disputed deals that the list of stuck cases compares with dispute-svc, the oldest first. */
export const MAX_STUCK_DISPUTED = 1000

/**
 * Why an event of the provider needs an operator: it does not fit what is stored, a payment was refunded at the provider after its deal had
 * ended, such a refund has failed, or a bank has given back what a deal had lost that has ended.
 */
export const PROVIDER_EVENT_REASONS = [
  'unfitting',
  'refund_of_ended_deal',
  'refund_of_ended_deal_failed',
  'chargeback_returned',
] as const
export type ProviderEventReason = (typeof PROVIDER_EVENT_REASONS)[number]
/** The events that need an operator are listed for this time. The provider's events are kept as long. */
export const PROVIDER_EVENT_DAYS = 90
/** The most of them that one act marks as done. */
export const MAX_PROVIDER_EVENTS_MARKED = 500

/** The page of `docs/runbooks`, or its section, that says what to do about each. */
export const PROVIDER_EVENT_RUNBOOKS = {
  unfitting: 'provider-events.md',
  refund_of_ended_deal: 'refunds-at-the-provider.md',
  refund_of_ended_deal_failed: 'refunds-at-the-provider.md',
  chargeback_returned: 'chargebacks.md#a-bank-decides-a-second-time',
} as const satisfies Record<ProviderEventReason, string>

/** The page of `docs/runbooks`, or its section, that says what to do about each kind of a stuck case. */
export const STUCK_RUNBOOKS = {
  clock_overdue: 'money.md#deadlines-pass-and-nothing-happens',
  disputed_without_dispute: 'disputes.md',
  payment_unknown: 'provider-errors.md#a-payment-has-no-outcome',
  seller_negative: 'chargebacks.md',
  closed_with_balance: 'returned-payouts.md#a-payout-comes-back-to-a-closed-account',
  refund_failed: 'refunds.md',
  dispute_waits_for_escrow: 'stuck-disputes.md',
  payout_waits: 'returned-payouts.md',
  payout_unanswered: 'provider-errors.md',
  chargeback_not_booked: 'chargebacks.md',
  not_checked: 'stuck-disputes.md',
} as const satisfies Record<StuckKind, string>
