import { CLOCKS } from '@holdfast/kernel/clocks'
import { DEAL_STATUSES } from '@holdfast/kernel/deals'
import { ACCOUNT_KINDS, ENTRY_KINDS } from '@holdfast/kernel/ledger'
import { describeVocabulary } from '@holdfast/testing/vocabulary'
import { plan } from './plan.js'

describeVocabulary(plan, [
  ['transaction', 'status', DEAL_STATUSES],
  ['transaction', 'clock', CLOCKS],
  ['clock_entry', 'clock', CLOCKS],
  ['journal_entry', 'kind', ENTRY_KINDS],
  ['posting', 'debit', ACCOUNT_KINDS],
  ['posting', 'credit', ACCOUNT_KINDS],
])
