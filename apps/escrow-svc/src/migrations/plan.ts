import { ADMIN_ACT_TABLE } from '@holdfast/service-kit/audit/admin-act-table'
import type { MigrationPlan } from '@holdfast/service-kit/database/migrations'
import { IDEMPOTENCY_TABLE, idempotencyGrant } from '@holdfast/service-kit/idempotency/idempotency-table'
import { Escrow1764000000000 } from './1764000000000-escrow.js'
import { EndedDisputes1795330000000 } from './1795330000000-ended-disputes.js'
import { OverdueDeals1795331000000 } from './1795331000000-overdue-deals.js'
import { VersionsAndTerms1795332000000 } from './1795332000000-versions-and-terms.js'
import { Chargebacks1795392000000 } from './1795392000000-chargebacks.js'
import { ProviderRefunds1795392060000 } from './1795392060000-provider-refunds.js'
import { Attempts1795392120000 } from './1795392120000-attempts.js'
import { AskedPayments1795392180000 } from './1795392180000-asked-payments.js'
import { Outages1795400000000 } from './1795400000000-outages.js'
import { AskedProviderRefunds1795420000000 } from './1795420000000-asked-provider-refunds.js'
import { RefundsPaidOtherwise1795420060000 } from './1795420060000-refunds-paid-otherwise.js'
import { PaymentLimits1795430000000 } from './1795430000000-payment-limits.js'
import { Settlements1795700000000 } from './1795700000000-settlements.js'
import { Payouts1795800000000 } from './1795800000000-payouts.js'
import { Console1795900000000 } from './1795900000000-console.js'
import { UnfinishedRefunds1796100000000 } from './1796100000000-unfinished-refunds.js'
import { Operators1796400000000 } from './1796400000000-operators.js'
import { ReasonsForParties1796500000000 } from './1796500000000-reasons-for-parties.js'
import { FirstHeartbeat1796510000000 } from './1796510000000-first-heartbeat.js'
import { UnansweredPayouts1796520000000 } from './1796520000000-unanswered-payouts.js'
import { PlatformAccount1796530000000 } from './1796530000000-platform-account.js'
import { CommandLineActs1796540000000 } from './1796540000000-command-line-acts.js'
import { UndecidedChargebacks1796620000000 } from './1796620000000-undecided-chargebacks.js'
import { Reviews1798200000000 } from './1798200000000-reviews.js'
import { SearchedDeals1798300000000 } from './1798300000000-searched-deals.js'
import { BankTransfers1798500000000 } from './1798500000000-bank-transfers.js'
import { ConfirmedPayees1799110000000 } from './1799110000000-confirmed-payees.js'
import { DealsOfAnItem1799600100000 } from './1799600100000-deals-of-an-item.js'
import { Subscriptions1799700000000 } from './1799700000000-subscriptions.js'
import { CryptoPayments1799710000000 } from './1799710000000-crypto-payments.js'
import { History1799720000000 } from './1799720000000-history.js'
import { ClosedUsers1799740000000 } from './1799740000000-closed-users.js'
import { DeletedCustomers1799780000000 } from './1799780000000-deleted-customers.js'
import { AskedCryptoPayments1799781000000 } from './1799781000000-asked-crypto-payments.js'
import { RefusedClosings1799782100000 } from './1799782100000-refused-closings.js'
import { IndexesForSize1799785000600 } from './1799785000600-indexes-for-size.js'
import { ReturnedPayouts1799785000700 } from './1799785000700-returned-payouts.js'
import { DailyChecks1799785000800 } from './1799785000800-daily-checks.js'
import { FeesByCharge1799785000801 } from './1799785000801-fees-by-charge.js'
import { PayersAddresses1799785000900 } from './1799785000900-payers-addresses.js'
import { ErasuresOfAddresses1799785000901 } from './1799785000901-erasures-of-addresses.js'
import { SecondBankDecisions1799785001000 } from './1799785001000-second-bank-decisions.js'
import { CheckedEntryKinds1799785001001 } from './1799785001001-checked-entry-kinds.js'
import { LateRefunds1799785001002 } from './1799785001002-late-refunds.js'
import { UnfinishedPayouts1799785001003 } from './1799785001003-unfinished-payouts.js'
import { SettledLateRefunds1799785001004 } from './1799785001004-settled-late-refunds.js'
import { RowsByAge1799785002000 } from './1799785002000-rows-by-age.js'
import { BoundedCleanups1799785002100 } from './1799785002100-bounded-cleanups.js'
import { ChangedPayoutAccounts1799786023000 } from './1799786023000-changed-payout-accounts.js'
import { MoneyBack1799786040000 } from './1799786040000-money-back.js'
import { TakenBackTransfers1799786040003 } from './1799786040003-taken-back-transfers.js'
import { CheckedEntryKinds1799786040004 } from './1799786040004-checked-entry-kinds.js'
import { CountedAccountAsks1799786045000 } from './1799786045000-counted-account-asks.js'

/**
 * The database of escrow-svc. To the append-only tables its role may only add rows. Old idempotency keys and webhook events
 * are deleted by functions of the database's owner, which the role may run.
 */
export const plan = {
  service: 'escrow-svc' as const,
  role: 'escrow_svc',
  schema: 'escrow',
  migrations: [
    Escrow1764000000000,
    EndedDisputes1795330000000,
    OverdueDeals1795331000000,
    VersionsAndTerms1795332000000,
    Chargebacks1795392000000,
    ProviderRefunds1795392060000,
    Attempts1795392120000,
    AskedPayments1795392180000,
    Outages1795400000000,
    AskedProviderRefunds1795420000000,
    RefundsPaidOtherwise1795420060000,
    PaymentLimits1795430000000,
    Settlements1795700000000,
    Payouts1795800000000,
    Console1795900000000,
    UnfinishedRefunds1796100000000,
    Operators1796400000000,
    ReasonsForParties1796500000000,
    FirstHeartbeat1796510000000,
    UnansweredPayouts1796520000000,
    PlatformAccount1796530000000,
    CommandLineActs1796540000000,
    UndecidedChargebacks1796620000000,
    Reviews1798200000000,
    SearchedDeals1798300000000,
    BankTransfers1798500000000,
    ConfirmedPayees1799110000000,
    DealsOfAnItem1799600100000,
    Subscriptions1799700000000,
    CryptoPayments1799710000000,
    History1799720000000,
    ClosedUsers1799740000000,
    DeletedCustomers1799780000000,
    AskedCryptoPayments1799781000000,
    RefusedClosings1799782100000,
    IndexesForSize1799785000600,
    ReturnedPayouts1799785000700,
    DailyChecks1799785000800,
    FeesByCharge1799785000801,
    PayersAddresses1799785000900,
    ErasuresOfAddresses1799785000901,
    SecondBankDecisions1799785001000,
    CheckedEntryKinds1799785001001,
    LateRefunds1799785001002,
    UnfinishedPayouts1799785001003,
    SettledLateRefunds1799785001004,
    RowsByAge1799785002000,
    BoundedCleanups1799785002100,
    ChangedPayoutAccounts1799786023000,
    MoneyBack1799786040000,
    TakenBackTransfers1799786040003,
    CheckedEntryKinds1799786040004,
    CountedAccountAsks1799786045000,
  ],
  appendOnly: [
    'journal_entry',
    'posting',
    'timeline',
    'clock_entry',
    'acceptance',
    'webhook_event',
    'outage',
    'payout_deal',
    'account_fee',
    'review',
    IDEMPOTENCY_TABLE,
    ADMIN_ACT_TABLE,
  ],
  grants: [
    idempotencyGrant('escrow', 'escrow_svc'),
    'GRANT EXECUTE ON FUNCTION escrow.forget_webhook_events(int) TO escrow_svc',
    // There is exactly one heartbeat. Without it no clock could end.
    'REVOKE INSERT, DELETE ON escrow.heartbeat FROM escrow_svc',
    // There is exactly one date of the next check of the books.
    'REVOKE INSERT, DELETE ON escrow.books_check FROM escrow_svc',
  ],
} satisfies MigrationPlan
