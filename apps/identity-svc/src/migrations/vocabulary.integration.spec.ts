import { PLANS, USER_ROLES, VERIFICATION_STATUSES } from '@holdfast/kernel/users'
import { allowedValues } from '@holdfast/testing/allowed-values'
import { ScratchDatabase } from '@holdfast/testing/scratch-database'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { plan } from './plan.js'

describe('the migrated database', () => {
  let database: ScratchDatabase
  beforeAll(async () => {
    database = await ScratchDatabase.make(plan)
  })
  afterAll(() => database.drop())

  test.each<[string, string, readonly string[]]>([
    ['users', 'verification_status', VERIFICATION_STATUSES],
    ['users', 'role', USER_ROLES],
    ['users', 'plan', PLANS],
  ])('lets into %s.%s what the code may write, and nothing else', async (table, column, values) => {
    expect(await allowedValues(database.admin, `identity.${table}`, column)).toEqual([...values].sort())
  })
})
