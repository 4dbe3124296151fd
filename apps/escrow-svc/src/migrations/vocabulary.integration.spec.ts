import { ACCOUNT_KINDS, CLOCKS, TRANSACTION_STATUSES } from '@holdfast/kernel/transactions'
import { describeVocabulary } from '@holdfast/testing/vocabulary'
import { ENTRY_KINDS } from '../ledger/domain/journal.js'
import { plan } from './plan.js'

describeVocabulary(plan, [
  ['transaction', 'status', TRANSACTION_STATUSES],
  ['transaction', 'clock', CLOCKS],
  ['clock_entry', 'clock', CLOCKS],
  ['journal_entry', 'kind', ENTRY_KINDS],
  ['posting', 'debit', ACCOUNT_KINDS],
  ['posting', 'credit', ACCOUNT_KINDS],
])
