import { Notification } from '@holdfast/contracts/messages'
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

  test.each<[string, string, readonly string[]]>([['notifications', 'type', Notification.shape.type.options]])(
    'lets into %s.%s what the code may write, and nothing else',
    async (table, column, values) => {
      expect(await allowedValues(database.admin, `messaging.${table}`, column)).toEqual([...values].sort())
    },
  )
})
