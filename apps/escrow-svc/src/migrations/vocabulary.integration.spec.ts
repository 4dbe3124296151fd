import { ACCOUNT_KINDS, CLOCKS, TRANSACTION_STATUSES } from '@holdfast/kernel/transactions'
import { allowedValues } from '@holdfast/testing/allowed-values'
import { ScratchDatabase } from '@holdfast/testing/scratch-database'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { ENTRY_KINDS } from '../ledger/domain/journal.js'
import { plan } from './plan.js'

describe('the migrated database', () => {
  let database: ScratchDatabase
  beforeAll(async () => {
    database = await ScratchDatabase.make(plan)
  })
  afterAll(() => database.drop())

  test.each<[string, string, readonly string[]]>([
    ['transaction', 'status', TRANSACTION_STATUSES],
    ['transaction', 'clock', CLOCKS],
    ['clock_entry', 'clock', CLOCKS],
    ['journal_entry', 'kind', ENTRY_KINDS],
    ['posting', 'debit', ACCOUNT_KINDS],
    ['posting', 'credit', ACCOUNT_KINDS],
  ])('lets into %s.%s what the code may write, and nothing else', async (table, column, values) => {
    expect(await allowedValues(database.admin, `escrow.${table}`, column)).toEqual([...values].sort())
  })
})
