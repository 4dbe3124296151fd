import { DataSource } from 'typeorm'
import { createScratchDatabase, type ScratchDatabase } from '../../test/scratch-database.js'
import { Attempts } from './attempts.js'
import { ATTEMPTS_TABLE } from './attempts-table.js'

let database: ScratchDatabase
let dataSource: DataSource

beforeAll(async () => {
  database = await createScratchDatabase()
  dataSource = await new DataSource({
    type: 'postgres',
    url: database.adminUrl,
    schema: 'public',
    // All statements share one session.
    poolSize: 1,
  }).initialize()
  for (const statement of ATTEMPTS_TABLE) await dataSource.query(statement)
})
afterAll(async () => {
  await dataSource.destroy()
  await database.drop()
})

test('attempts are counted, taken back and forgotten without a prepared statement that the session keeps', async () => {
  const attempts = new Attempts(dataSource, 'tries', { attempts: 2, seconds: 60 })
  await attempts.count('maya')
  await attempts.count('maya')
  await expect(attempts.count('maya')).rejects.toMatchObject({ code: 'RATE_LIMITED' })
  await attempts.takeBack('maya')
  await attempts.takeBack('maya')
  await attempts.count('maya')
  await attempts.forget('maya')
  await attempts.count('maya', 2)
  // Behind a pooler, another client uses the session next.
  expect(await dataSource.query('SELECT name FROM pg_prepared_statements')).toEqual([])
})
