import fc from 'fast-check'
import pg from 'pg'
import { createScratchDatabase, type ScratchDatabase } from '../../test/scratch-database.js'
import { binaryArray, type ColumnType, type ValueOf } from './binary-array.js'

let database: ScratchDatabase
let pool: pg.Pool

beforeAll(async () => {
  database = await createScratchDatabase()
  pool = new pg.Pool({ connectionString: database.adminUrl, max: 1 })
})
afterAll(async () => {
  await pool.end()
  await database.drop()
})

// PostgreSQL stores no NUL in a text.
const words = fc.string({ unit: 'binary' }).map(word => word.replaceAll('\0', '"\\'))
// JSON has no -0, and jsonb no lone surrogates and no NUL.
const json = fc.dictionary(words, fc.oneof(words, fc.integer(), fc.boolean())).map(value => JSON.stringify(value))
const time = fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })

const ARBITRARY: { readonly [T in ColumnType]: fc.Arbitrary<ValueOf[T]> } = {
  bigint: fc.oneof(fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n), fc.maxSafeInteger()),
  int: fc.integer(),
  smallint: fc.integer({ min: -(2 ** 15), max: 2 ** 15 - 1 }),
  boolean: fc.boolean(),
  uuid: fc.oneof(
    fc.uuid(),
    fc.uuid().map(id => id.toUpperCase()),
  ),
  text: words,
  timestamptz: fc.oneof(
    time,
    time.map(at => at.toISOString()),
  ),
  json,
  jsonb: json,
  bytea: fc.uint8Array().map(bytes => Buffer.from(bytes)),
}

test.each(Object.keys(ARBITRARY) as ColumnType[])(
  'an array of %s is what the driver would have sent as text',
  async <T extends ColumnType>(type: T) => {
    // json cannot be compared.
    const compared = type === 'json' ? 'text' : type
    const same = `SELECT $1::${type}[]::${compared}[] IS NOT DISTINCT FROM $2::${type}[]::${compared}[] AS same`
    const arrays = fc.array(fc.option(ARBITRARY[type] as fc.Arbitrary<ValueOf[T]>))
    await fc.assert(
      fc.asyncProperty(arrays, async values => {
        const asText = values.map(value => (value instanceof Date ? value.toISOString() : value))
        expect((await pool.query(same, [binaryArray(type, values), asText])).rows).toEqual([{ same: true }])
      }),
    )
  },
)

test('undefined is null, and values that a type cannot have are refused', async () => {
  const nulls = await pool.query('SELECT $1::text[] AS words', [binaryArray('text', [undefined, null, ''])])
  expect(nulls.rows).toEqual([{ words: [null, null, ''] }])
  expect(() => binaryArray('uuid', ['x'])).toThrow(/no UUID/)
  expect(() => binaryArray('int', [2 ** 31])).toThrow(RangeError)
  expect(() => binaryArray('bigint', [2n ** 63n])).toThrow(RangeError)
  expect(() => binaryArray('bigint', [0.5])).toThrow(RangeError)
  expect(() => binaryArray('timestamptz', ['tomorrow'])).toThrow(/no time/)
})
