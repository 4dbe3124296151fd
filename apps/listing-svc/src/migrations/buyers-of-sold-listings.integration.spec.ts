import { newId } from '@holdfast/kernel/ids'
import { applyMigrations } from '@holdfast/service-kit/database/migrations'
import { ScratchDatabase } from '@holdfast/testing/scratch-database'
import { BuyersOfSoldListings1799785003100 } from './1799785003100-buyers-of-sold-listings.js'
import { plan } from './plan.js'

const before = {
  ...plan,
  migrations: plan.migrations.slice(0, plan.migrations.indexOf(BuyersOfSoldListings1799785003100)),
}
const [seller, ana, ben] = [newId(), newId(), newId()]
let database: ScratchDatabase

async function older(id: number, status: string, buyers: readonly string[]): Promise<void> {
  await database.admin.query(
    `INSERT INTO listing.listing (id, version, title, description, price_minor, currency, category, condition, status, is_private, seller_id,
       created_by, inspection_days, return_policy, image_hashes, created_at, updated_at, search_text) OVERRIDING SYSTEM VALUE
     VALUES ($1, 1, 'A lamp', 'Bright', 100, 'USD', 'Other', 'Good', $2, false, $3, $3, 3, 'no-returns', '{}', now(), now(), '')`,
    [id, status, seller],
  )
  await database.admin.query('INSERT INTO listing.listing_buyer SELECT $1, unnest($2::uuid[])', [id, buyers])
}

beforeAll(async () => {
  database = await ScratchDatabase.make(before)
  await database.admin.query(
    `INSERT INTO listing.seller (id, first_name, last_name, username, is_verified, known_at) VALUES ($1, 'A', 'B', 'ab', true, now())`,
    [seller],
  )
  await older(1, 'sold', [ana])
  await older(2, 'sold', [ana, ben])
  await older(3, 'inactive', [ana])
  await applyMigrations({ adminUrl: database.url(), plans: [plan], passwords: { [plan.role]: 'scratch' } })
})
afterAll(() => database.drop())

it('a listing that was sold before has its buyer, unless several users have opened a deal on it', async () => {
  const { rows } = await database.admin.query('SELECT id::int, sold_to FROM listing.listing ORDER BY id')
  expect(rows).toEqual([
    { id: 1, sold_to: ana },
    { id: 2, sold_to: null },
    { id: 3, sold_to: null },
  ])
})
