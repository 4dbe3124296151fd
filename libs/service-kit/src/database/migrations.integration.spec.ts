import type { MigrationInterface, QueryRunner } from 'typeorm'
import { createScratchDatabase, type ScratchDatabase } from '../../test/scratch-database.js'
import { MakeThings1700000000001 } from '../../test/tiny-service.js'
import { applyMigrations, ForeignMigrations, type MigrationPlan } from './migrations.js'

class AddColour1700000000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table thing add column colour text')
  }
  async down(): Promise<void> {}
}

class Broken1700000000003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('create table half_made (id int)')
    await runner.query('select no_such_function()')
  }
  async down(): Promise<void> {}
}

let database: ScratchDatabase
let listing: MigrationPlan
/** The next release of `listing`. */
let newer: MigrationPlan
let escrow: MigrationPlan

beforeAll(async () => {
  database = await createScratchDatabase()
  const migrations = [MakeThings1700000000001]
  listing = { service: 'listing-svc', role: database.roles.listing, schema: 'listing', migrations }
  newer = { ...listing, migrations: [...migrations, AddColour1700000000002] }
  escrow = {
    service: 'escrow-svc',
    role: database.roles.escrow,
    schema: 'escrow',
    migrations,
    appendOnly: ['journal_entry'],
    grants: [
      `grant usage on schema escrow to ${database.roles.gateway}`,
      `grant select on thing to ${database.roles.gateway}`,
    ],
  }
})
afterAll(() => database.drop())

const migrate = (...plans: MigrationPlan[]) =>
  applyMigrations({ adminUrl: database.adminUrl, plans, passwords: database.passwords })
const asListing = (sql: string) => database.query(database.urlOf(database.roles.listing), sql)
const asEscrow = (sql: string) => database.query(database.urlOf(database.roles.escrow), sql)
const asGateway = (sql: string) => database.query(database.urlOf(database.roles.gateway), sql)
const asAdmin = (sql: string) => database.query(database.adminUrl, sql)

describe('applyMigrations', () => {
  test('has the same result when it runs twice at the same time and once more', async () => {
    await Promise.all([migrate(listing, escrow), migrate(listing, escrow)])
    await migrate(listing, escrow)
    expect(await asAdmin('select name from listing.migrations')).toEqual([{ name: 'MakeThings1700000000001' }])
  })

  test('of several databases of one server may run at the same time, although they share its roles', async () => {
    const others = await Promise.all([createScratchDatabase(), createScratchDatabase(), createScratchDatabase()])
    const { passwords } = database
    const migrateAll = () =>
      Promise.all(others.map(({ adminUrl }) => applyMigrations({ adminUrl, plans: [listing], passwords })))
    try {
      for (let round = 0; round < 5; round++) await migrateAll()
    } finally {
      await Promise.all(others.map(other => other.drop()))
    }
  })

  test('applies only new migrations', async () => {
    await migrate(newer)
    await asListing("insert into listing.thing (name, colour) values ('lamp', 'red')")
    expect(await asAdmin('select count(*)::int as n from listing.migrations')).toEqual([{ n: 2 }])
  })

  test('rolls back a failed migration, and can be repeated', async () => {
    const broken = { ...newer, migrations: [...newer.migrations, Broken1700000000003] }
    await expect(migrate(broken)).rejects.toThrow('no_such_function')
    expect(await asAdmin("select to_regclass('listing.half_made') as made")).toEqual([{ made: null }])
    await migrate(newer)
  })

  test('refuses a database with unknown migrations, says how to continue, and changes nothing', async () => {
    const untouched: MigrationPlan = { ...listing, service: 'other-svc', schema: 'untouched' }
    const refusal = migrate(untouched, { ...listing, migrations: [MakeThings1700000000001] })
    await expect(refusal).rejects.toThrow(ForeignMigrations)
    await expect(refusal).rejects.toThrow(
      'The data of listing-svc was made by another version (this one does not know its migration ' +
        'AddColour1700000000002): start that version again, or begin with no data by `npm start -- --fresh`.',
    )
    expect(await asAdmin("select 1 from pg_namespace where nspname = 'untouched'")).toEqual([])
  })

  test('refuses a role without a password, and changes nothing', async () => {
    await expect(migrate({ ...listing, role: 'nobody', schema: 'untouched' })).rejects.toThrow(
      'password for the role nobody',
    )
    expect(await asAdmin("select 1 from pg_namespace where nspname = 'untouched'")).toEqual([])
  })

  test('changes a password', async () => {
    const { listing: role } = database.roles
    const before = database.urlOf(role)
    database.passwords[role] = 'another'
    await migrate(newer)
    await expect(database.query(before, 'select 1')).rejects.toThrow('password authentication failed')
    expect(await asListing('select 1 as one')).toEqual([{ one: 1 }])
  })
})

describe('a role', () => {
  test('may use its own tables', async () => {
    await asListing("insert into listing.thing (name) values ('chair')")
    await asListing("update listing.thing set name = 'stool' where name = 'chair'")
    await asListing("delete from listing.thing where name = 'stool'")
  })

  test('may read and add to append-only tables, and change no row of them', async () => {
    await asEscrow('insert into escrow.journal_entry (amount) values (5)')
    expect(await asEscrow('select amount from escrow.journal_entry')).toEqual([{ amount: '5' }])
    for (const sql of [
      'update escrow.journal_entry set amount = 6',
      'delete from escrow.journal_entry',
      'truncate escrow.journal_entry',
    ]) {
      await expect(asEscrow(sql)).rejects.toThrow('permission denied for table journal_entry')
    }
  })

  test('may read no other schema, and create no table', async () => {
    await expect(asListing('select * from escrow.thing')).rejects.toThrow('permission denied for schema escrow')
    await expect(asListing('create table listing.mine (id int)')).rejects.toThrow('permission denied')
    await expect(asListing('create table public.mine (id int)')).rejects.toThrow('permission denied')
    await expect(asListing('create temporary table mine (id int)')).rejects.toThrow('permission denied')
    await expect(asListing('create schema mine')).rejects.toThrow('permission denied')
  })

  test('may read the list of applied migrations, and not add to it', async () => {
    expect(await asListing('select count(*)::int as n from listing.migrations')).toEqual([{ n: 2 }])
    await expect(asListing('delete from listing.migrations')).rejects.toThrow('permission denied')
    await expect(asListing("insert into listing.migrations (timestamp, name) values (1, 'x')")).rejects.toThrow(
      'permission denied',
    )
  })

  test('that is named only in grants may do what they grant', async () => {
    expect(await asGateway('select count(*)::int as n from escrow.thing')).toEqual([{ n: 0 }])
    await expect(asGateway("insert into escrow.thing (name) values ('x')")).rejects.toThrow('permission denied')
    await expect(asGateway('select * from listing.thing')).rejects.toThrow('permission denied for schema listing')
  })
})
