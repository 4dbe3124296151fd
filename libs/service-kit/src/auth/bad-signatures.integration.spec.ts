import { DomainError } from '@holdfast/kernel/errors'
import { DataSource } from 'typeorm'
import { createScratchDatabase, type ScratchDatabase } from '../../test/scratch-database.js'
import { ATTEMPTS_TABLE } from './attempts-table.js'
import { BAD_SIGNATURES_PER_ADDRESS, BadSignatures } from './bad-signatures.js'

let database: ScratchDatabase
let dataSource: DataSource
/** Two replicas of a service. */
let replicas: readonly [BadSignatures, BadSignatures]

beforeAll(async () => {
  database = await createScratchDatabase()
  dataSource = await new DataSource({ type: 'postgres', url: database.adminUrl, schema: 'public' }).initialize()
  for (const statement of ATTEMPTS_TABLE) await dataSource.query(statement)
  replicas = [new BadSignatures(dataSource), new BadSignatures(dataSource)]
})
afterAll(async () => {
  await dataSource.destroy()
  await database.drop()
})

const signed = async () => 'taken'
const forged = async () => {
  throw new DomainError('WEBHOOK_SIGNATURE_INVALID')
}
const FORGER = '192.0.2.66'
const forge = (replica = 0, clientIp = FORGER) => replicas[replica]!.limit(clientIp, forged).catch(({ code }) => code)
const ofForger = (sum: string) =>
  dataSource.query<{ points: number }[]>(`SELECT ${sum} AS points FROM attempts WHERE key LIKE $1`, [`%${FORGER}`])

test('too many bad signatures of an address are refused by all replicas, and a good one never', async () => {
  for (let i = 0; i < BAD_SIGNATURES_PER_ADDRESS.attempts; i++)
    expect(await forge(i % 2)).toBe('WEBHOOK_SIGNATURE_INVALID')
  for (const replica of [0, 1, 0]) expect(await forge(replica)).toBe('RATE_LIMITED')
  expect(await forge(0, '192.0.2.67')).toBe('WEBHOOK_SIGNATURE_INVALID')
  expect(await replicas[0].limit(FORGER, signed)).toBe('taken')
})

test('further ones ask nothing of the database', async () => {
  const [before] = await ofForger('points')
  for (let i = 0; i < 10; i++) expect(await forge()).toBe('RATE_LIMITED')
  expect(await ofForger('points')).toEqual([before])
})

test('another refusal is not counted', async () => {
  const malformed = async () => {
    throw new DomainError('MALFORMED_REQUEST')
  }
  for (let i = 0; i <= BAD_SIGNATURES_PER_ADDRESS.attempts; i++)
    await expect(replicas[0].limit('192.0.2.68', malformed)).rejects.toMatchObject({ code: 'MALFORMED_REQUEST' })
})
