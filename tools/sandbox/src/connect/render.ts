import { seconds } from '../payments/render-time.js'
import {
  type AccountRecord,
  type BankRecord,
  isPayable,
  type PayoutRecord,
  type ReversalRecord,
  type TransferRecord,
} from './records.js'
import { TEST_ROUTING_NUMBER } from './test-banks.js'

/** The fields of an account that the product reads. */
export function renderAccount(account: AccountRecord) {
  const payable = isPayable(account)
  const disabled = payable || account.bank === null ? null : account.stopped ? 'under_review' : 'requirements.past_due'
  return {
    id: account.id,
    object: 'account',
    business_type: null,
    capabilities: { transfers: account.bank === null ? 'inactive' : 'active' },
    charges_enabled: false,
    country: 'US',
    created: seconds(account.createdAt),
    default_currency: 'usd',
    details_submitted: account.bank !== null,
    email: null,
    external_accounts: {
      object: 'list',
      data: account.bank ? [renderBank(account.id, account.bank, account.holder)] : [],
      has_more: false,
      total_count: account.bank ? 1 : 0,
      url: `/v1/accounts/${account.id}/external_accounts`,
    },
    metadata: { ...account.metadata },
    payouts_enabled: payable,
    requirements: {
      currently_due: account.bank === null || account.bank.errored ? ['external_account'] : [],
      past_due: account.bank?.errored ? ['external_account'] : [],
      disabled_reason: disabled,
      errors: [],
      eventually_due: [],
      pending_verification: [],
    },
    settings: { payouts: { debit_negative_balances: false, schedule: { delay_days: 2, interval: 'manual' } } },
    type: 'express',
  }
}

function renderBank(account: string, bank: BankRecord, holder: string | null) {
  return {
    id: bank.id,
    object: 'bank_account',
    account,
    account_holder_name: holder,
    account_holder_type: 'individual',
    bank_name: bank.bankName,
    country: 'US',
    currency: 'usd',
    default_for_currency: true,
    last4: bank.last4,
    metadata: {},
    routing_number: TEST_ROUTING_NUMBER,
    status: bank.errored ? 'errored' : 'new',
  }
}

export function renderTransfer(transfer: TransferRecord) {
  return {
    id: transfer.id,
    object: 'transfer',
    amount: transfer.amount,
    amount_reversed: transfer.amountReversed,
    balance_transaction: transfer.balanceId,
    created: seconds(transfer.createdAt),
    currency: transfer.currency,
    description: null,
    destination: transfer.destination,
    livemode: false,
    metadata: { ...transfer.metadata },
    reversals: {
      object: 'list',
      data: transfer.reversals.map(reversal => renderReversal(transfer, reversal)),
      has_more: false,
      url: `/v1/transfers/${transfer.id}/reversals`,
    },
    reversed: transfer.amountReversed === transfer.amount,
    source_transaction: null,
    source_type: 'card',
    transfer_group: transfer.transferGroup,
  }
}

export function renderReversal(transfer: TransferRecord, reversal: ReversalRecord) {
  return {
    id: reversal.id,
    object: 'transfer_reversal',
    amount: reversal.amount,
    balance_transaction: reversal.balanceId,
    created: seconds(reversal.createdAt),
    currency: transfer.currency,
    destination_payment_refund: null,
    metadata: { ...reversal.metadata },
    source_refund: null,
    transfer: transfer.id,
  }
}

export function renderPayout(payout: PayoutRecord) {
  return {
    id: payout.id,
    object: 'payout',
    amount: payout.amount,
    arrival_date: seconds(payout.settlesAt ?? payout.createdAt),
    automatic: payout.accountId === null,
    balance_transaction: null,
    created: seconds(payout.createdAt),
    currency: payout.currency,
    description: null,
    destination: payout.bank?.id ?? null,
    failure_balance_transaction: null,
    failure_code: payout.failureCode,
    failure_message: payout.failureCode && `The bank refused the payout: ${payout.failureCode}.`,
    livemode: false,
    metadata: { ...payout.metadata },
    method: 'standard',
    source_type: 'card',
    statement_descriptor: null,
    status: payout.status,
    type: 'bank_account',
  }
}
