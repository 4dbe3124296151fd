import { APPROVAL_STATES } from '@holdfast/kernel/admin'
import { CLOCK_CHANGES, CLOCKS } from '@holdfast/kernel/clocks'
import { CRYPTO_ASSET_NAMES } from '@holdfast/kernel/crypto'
import { ACCEPTANCE_ACTS, DEAL_STATUSES, PARTY_ROLES } from '@holdfast/kernel/deals'
import { ACCOUNT_KINDS, ENTRY_KINDS } from '@holdfast/kernel/ledger'
import { CHARGEBACK_STATUSES, PAYMENT_STATUSES, REFUND_ORIGINS, REFUND_STATUSES } from '@holdfast/kernel/payments'
import { PAYOUT_ACCOUNT_STATUSES, PAYOUT_STATUSES, PROVIDER_PAYOUT_STATUSES } from '@holdfast/kernel/payouts'
import {
  CANCEL_REASONS,
  INVOICE_STATUSES,
  MONEY_BACK_WAYS,
  SUBSCRIPTION_INTERVALS,
  SUBSCRIPTION_STATUSES,
} from '@holdfast/kernel/subscriptions'
import { PLANS } from '@holdfast/kernel/users'
import { describeVocabulary } from '@holdfast/testing/vocabulary'
import { plan } from './plan.js'

describeVocabulary(plan, [
  ['transaction', 'status', DEAL_STATUSES],
  ['transaction', 'clock', CLOCKS],
  ['acceptance', 'party', PARTY_ROLES],
  ['acceptance', 'by', ACCEPTANCE_ACTS],
  ['clock_entry', 'clock', CLOCKS],
  ['clock_entry', 'change', CLOCK_CHANGES],
  ['journal_entry', 'kind', ENTRY_KINDS],
  ['posting', 'debit', ACCOUNT_KINDS],
  ['posting', 'credit', ACCOUNT_KINDS],
  ['payment', 'status', PAYMENT_STATUSES],
  ['crypto_payment', 'asset', CRYPTO_ASSET_NAMES],
  ['refund', 'status', REFUND_STATUSES],
  ['refund', 'origin', REFUND_ORIGINS],
  ['chargeback', 'status', CHARGEBACK_STATUSES],
  ['payout_account', 'status', PAYOUT_ACCOUNT_STATUSES],
  ['payout', 'status', PAYOUT_STATUSES],
  ['provider_payout', 'status', PROVIDER_PAYOUT_STATUSES],
  ['subscription', 'interval', SUBSCRIPTION_INTERVALS],
  ['subscription', 'status', SUBSCRIPTION_STATUSES],
  ['subscription', 'plan', PLANS],
  ['subscription', 'money_back', MONEY_BACK_WAYS],
  ['subscription', 'cancel_reason', CANCEL_REASONS],
  ['subscription_invoice', 'status', INVOICE_STATUSES],
  ['admin_request', 'state', APPROVAL_STATES],
])
