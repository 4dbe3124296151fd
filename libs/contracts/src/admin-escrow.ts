/** The operator's console: money and approvals. Served by escrow-svc. */
import {
  APPROVAL_DECISIONS,
  APPROVAL_STATES,
  GUARDED_ACTS,
  MAX_ADMIN_REASON_LENGTH,
  MAX_APPROVERS,
} from '@holdfast/kernel/admin'
import type { ErrorCode } from '@holdfast/kernel/errors'
import { ACCOUNT_KINDS, ENTRY_KINDS } from '@holdfast/kernel/ledger'
import { DEAL_CURRENCY } from '@holdfast/kernel/money'
import { REFUND_STATUSES } from '@holdfast/kernel/payments'
import { PAYOUT_STATUSES } from '@holdfast/kernel/payouts'
import { z } from 'zod'
import { Facts, SearchText, UuidPageQuery, UuidParams, WithReason } from './admin-fields.js'
import {
  Amount,
  AmountInput,
  AmountText,
  CurrencyCode,
  IdParams,
  IntegerId,
  PageQuery,
  Timestamp,
  text,
  Uuid,
} from './fields.js'
import { route } from './route.js'

/** An account as postings name it: a kind, and behind a colon whose it is. */
const AccountName = z
  .string({ error: 'Required' })
  .regex(
    new RegExp(`^(${ACCOUNT_KINDS.join('|')})(:[0-9a-f-]{1,36})?$`),
    'Name an account, such as revenue or seller_payable:{user}',
  )

/** What came of an act that may need a second admin: it is done, or it waits for an approval. */
const ActOutcome = z.object({ state: z.enum(['done', 'waiting']), approvalId: Uuid.nullable() })
export type ActOutcome = z.infer<typeof ActOutcome>

/** The only currency of deals, and so of adjustments. */
const DealCurrency = z.literal(DEAL_CURRENCY, { error: `Only ${DEAL_CURRENCY}` })

/** The two accounts of an adjustment and what moves between them. */
const Adjustment = { debit: AccountName, credit: AccountName, currency: DealCurrency }
/** An account's balance, credits less debits, before and after an act. */
const BalanceChange = z.object({ account: z.string(), before: Amount, after: Amount })
const AdjustmentPreview = z.object({
  debit: BalanceChange,
  credit: BalanceChange,
  currency: CurrencyCode,
  /** Whether it waits for a second admin. */
  needsApproval: z.boolean(),
})
export type AdjustmentPreview = z.infer<typeof AdjustmentPreview>

const AdminRefund = z.object({
  id: Uuid,
  transactionId: IntegerId,
  amount: Amount,
  currency: CurrencyCode,
  status: z.enum(REFUND_STATUSES),
  lastError: z.string().nullable(),
  updatedAt: Timestamp,
})

export const AdminPayout = z.object({
  id: Uuid,
  sellerId: Uuid,
  amount: Amount,
  currency: CurrencyCode,
  status: z.enum(PAYOUT_STATUSES),
  attempts: z.number().int(),
  lastError: z.string().nullable(),
  /** Why it does not arrive, as the seller reads it. */
  failure: z.string().nullable(),
  updatedAt: Timestamp,
})
export type AdminPayout = z.infer<typeof AdminPayout>

export const Approval = z.object({
  id: Uuid,
  kind: z.enum(GUARDED_ACTS),
  /** What it is about, such as `transaction:7`. */
  subject: z.string(),
  amount: Amount,
  currency: CurrencyCode,
  input: Facts,
  reason: z.string(),
  askedBy: Uuid,
  askedAt: Timestamp,
  expiresAt: Timestamp,
  state: z.enum(APPROVAL_STATES),
  decidedBy: Uuid.nullable(),
  decidedAt: Timestamp.nullable(),
  decisionReason: z.string().nullable(),
})
export type Approval = z.infer<typeof Approval>

export const DecisionInput = WithReason.extend({ decision: z.enum(APPROVAL_DECISIONS, { error: 'Approve or reject' }) })

/** With what a decision is refused, also because the act is not possible any more. */
export const DECISION_ERRORS = [
  'NOT_FOUND',
  'FORBIDDEN',
  'ADMIN_TOO_NEW',
  'CONFLICT',
  'GONE',
  'TRANSACTION_NOT_FOUND',
  'ESCROW_WRONG_STATE',
  'ESCROW_STOPPED_BY_PROVIDER',
  'PAYOUT_NOT_POSSIBLE',
] as const satisfies readonly ErrorCode[]

export const LedgerAccount = z.object({
  account: z.string(),
  kind: z.enum(ACCOUNT_KINDS),
  currency: CurrencyCode,
  debits: Amount,
  credits: Amount,
  /** Credits less debits. */
  balance: Amount,
})

const StatementLine = z.object({
  /** Counts the account's lines from the oldest on. */
  position: IntegerId,
  entryId: Uuid,
  entry: z.enum(ENTRY_KINDS),
  /** Null for an entry that belongs to no deal. */
  transactionId: IntegerId.nullable(),
  /** The other account of the posting. */
  other: z.string(),
  side: z.enum(['debit', 'credit']),
  amount: Amount,
  /** The account's balance after this line. */
  balance: Amount,
  currency: CurrencyCode,
  at: Timestamp,
})

export const escrowAdminRoutes = {
  listUnfinishedRefunds: route({
    method: 'GET',
    path: '/api/admin/refunds',
    access: 'admin',
    summary: 'Refunds that have not reached their buyers: those that failed first, then those that wait or were sent',
    response: z.array(AdminRefund),
  }),
  sendRefundAgain: route({
    method: 'POST',
    path: '/api/admin/refunds/{id}/send-again',
    access: 'admin',
    record: { kind: 'refund' },
    summary: 'Send a refund again that has failed, as a new refund at the provider',
    params: UuidParams,
    body: WithReason,
    response: z.object({ id: Uuid, status: z.enum(REFUND_STATUSES) }),
    needsProof: true,
    errors: ['NOT_FOUND', 'FORBIDDEN', 'CONFLICT'],
  }),
  forceRefund: route({
    method: 'POST',
    path: '/api/admin/transactions/{id}/refund',
    access: 'admin',
    record: { kind: 'heldMoney' },
    summary: 'Refund a deal that holds money to its buyer in full; above an amount it waits for a second admin',
    params: IdParams,
    body: WithReason.extend({
      /** Both parties of the deal read it. `reason` is for the audit log alone. */
      reasonForParties: text(MAX_ADMIN_REASON_LENGTH, 'Say what the buyer and the seller read'),
    }),
    response: ActOutcome,
    needsProof: true,
    errors: [
      'TRANSACTION_NOT_FOUND',
      'FORBIDDEN',
      'ESCROW_WRONG_STATE',
      'ESCROW_STOPPED_BY_PROVIDER',
      'CONFLICT',
      'IDEMPOTENCY_KEY_REUSED',
    ],
    repeatable: 'with-key',
  }),
  listOpenPayouts: route({
    method: 'GET',
    path: '/api/admin/payouts',
    access: 'admin',
    summary:
      'Payouts that have not arrived: first those that were returned and not paid out again, then those on their way',
    response: z.array(AdminPayout),
  }),
  sendPayoutAgain: route({
    method: 'POST',
    path: '/api/admin/payouts/{id}/send-again',
    access: 'admin',
    record: { kind: 'payout' },
    summary:
      'Pay a seller’s balance out again after a payout was returned; above an amount it waits for a second admin',
    params: UuidParams,
    body: WithReason,
    response: ActOutcome,
    needsProof: true,
    errors: ['NOT_FOUND', 'FORBIDDEN', 'CONFLICT', 'PAYOUT_NOT_POSSIBLE', 'IDEMPOTENCY_KEY_REUSED'],
    repeatable: 'with-key',
  }),
  adjustLedger: route({
    method: 'POST',
    path: '/api/admin/ledger/adjustments',
    access: 'admin',
    summary: 'Post an entry by hand between two accounts; above an amount it waits for a second admin',
    body: WithReason.extend({ ...Adjustment, amount: AmountInput }),
    response: ActOutcome,
    needsProof: true,
    errors: ['FORBIDDEN', 'AMOUNT_INVALID', 'CONFLICT', 'IDEMPOTENCY_KEY_REUSED'],
    repeatable: 'with-key',
  }),
  previewAdjustment: route({
    method: 'GET',
    path: '/api/admin/ledger/adjustments/preview',
    access: 'admin',
    summary: 'What both accounts have now and would have after an adjustment; refused as the adjustment would be',
    query: z.object({ ...Adjustment, amount: AmountText }),
    response: AdjustmentPreview,
    errors: ['FORBIDDEN', 'AMOUNT_INVALID'],
  }),
  getApprovalLimit: route({
    method: 'GET',
    path: '/api/admin/approvals/limit',
    access: 'admin',
    summary: 'The amount above which an act waits for a second admin',
    response: z.object({ amount: Amount, currency: CurrencyCode }),
  }),
  listApprovals: route({
    method: 'GET',
    path: '/api/admin/approvals',
    access: 'admin',
    summary: 'What admins asked for that needs a second one, newest first',
    query: UuidPageQuery.extend({ state: z.enum(APPROVAL_STATES).optional() }),
    response: z.array(Approval),
  }),
  listAccounts: route({
    method: 'GET',
    path: '/api/admin/ledger/accounts',
    access: 'admin',
    summary: 'The accounts that a transaction, a user or a payment has to do with; without a search the product’s own',
    query: z.object({ q: SearchText.optional() }),
    response: z.array(LedgerAccount),
  }),
  getStatement: route({
    method: 'GET',
    path: '/api/admin/ledger/accounts/{account}',
    access: 'admin',
    record: { kind: 'ledgerAccount' },
    summary: 'An account’s postings in one currency with the balance after each, newest first',
    params: z.object({ account: AccountName }),
    query: PageQuery.extend({ currency: CurrencyCode.default('USD') }),
    response: z.array(StatementLine),
  }),
} as const

export const escrowAdminInternalRoutes = {
  decideRequest: route({
    method: 'POST',
    path: '/internal/admin/approvals/{id}',
    access: { internal: ['gateway'] },
    summary: 'The decision of an admin about what another one asked for',
    params: UuidParams,
    body: DecisionInput.extend({
      /** The admins whose word counts for acts that need two. Only an approval reads it. */
      approvers: z.array(Uuid).max(MAX_APPROVERS),
    }),
    response: Approval,
    errors: DECISION_ERRORS,
  }),
} as const
