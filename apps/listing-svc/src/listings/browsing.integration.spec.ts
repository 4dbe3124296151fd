import { setTimeout as delay } from 'node:timers/promises'
import type { Listing, ListingFacets } from '@holdfast/contracts/listings'
import { eventually } from '@holdfast/testing/eventually'
import type { SignedAnswer } from '@holdfast/testing/signed-client'
import { type Person, person, RunningListing } from '../../test/running-listing.js'
import { writeCursor } from './domain/price-cursor.js'
import { MAX_COUNTS_WAITING_PER_VIEWER } from './facets.reader.js'
import type { ListQuery } from './list-statement.js'
import { facetsStatement, listStatement } from './list-statement.js'

const [ana, ben, eve] = [person('Ana'), person('Ben'), person('Eve')]

let service: RunningListing
beforeAll(async () => {
  service = await RunningListing.start()
})
afterAll(() => service?.stop())

/** The columns of a listing that have no default. */
const COLUMNS = `version, title, description, price_minor, currency, category, condition, status, is_private, seller_id, created_by,
  inspection_days, return_policy, image_hashes, created_at, updated_at, search_text`

const titles = (listings: Listing[]) => listings.map(listing => listing.title)
const found = async (query: string, viewer?: Person) => titles((await service.list(query, viewer)).body)

/** Follows `Link: rel="next"` to the last page, and calls a function between the pages. */
async function everyPage(query: string, between: () => Promise<unknown> = async () => undefined): Promise<Listing[]> {
  const all: Listing[] = []
  let path: string | undefined = query
  for (let pages = 0; path !== undefined; pages++) {
    if (pages > 300) throw new Error('the pages do not end')
    const page: SignedAnswer<Listing[]> = await service.list(path)
    expect(page.status).toBe(200)
    all.push(...page.body)
    path = /^<\/api\/listings(\?[^>]*)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1]
    if (pages < 5) await between()
  }
  return all
}

describe('the listings that users can find', () => {
  it('are the listings on sale, newest first, the same for every viewer', async () => {
    const [seller, friend] = [person('Sela'), person('Fred')]
    await service.created(seller, { title: 'older' })
    await service.created(seller, { title: 'newer' })
    await service.created(seller, { title: 'hidden', isPrivate: true })
    await service.created(seller, { title: 'for Fred' }, { counterparty: friend })
    await service.withdraw((await service.created(seller, { title: 'withdrawn' })).id, seller)
    const reserved = await service.created(seller, { title: 'reserved' })
    await service.deal('transactionOpened', 1, reserved)
    for (const viewer of [undefined, friend, eve]) {
      expect(await found(`?sellerId=${seller.id}`, viewer)).toEqual(['newer', 'older'])
    }
    expect((await found('', seller)).slice(0, 2)).toEqual(['newer', 'older'])
    const own = await found(`?sellerId=${seller.id}`, seller)
    expect(own).toEqual(['reserved', 'withdrawn', 'for Fred', 'hidden', 'newer', 'older'])
  })

  it('contain their seller', async () => {
    const listing = await service.created(ben)
    const { body } = await service.list(`?sellerId=${ben.id}`)
    expect(body[0]).toEqual(listing)
  })
})

describe('one’s own listings by status', () => {
  const seller = person('Stan')
  const own = (query: string) => found(`?sellerId=${seller.id}&${query}`, seller)
  beforeAll(async () => {
    await service.created(seller, { title: 'active' })
    await service.created(seller, { title: 'active, private', isPrivate: true })
    for (const [n, title] of ['sold 1', 'sold 2', 'sold 3'].entries()) {
      const sold = await service.created(seller, { title })
      await service.deal('transactionOpened', 100 + n, sold)
      await service.deal('transactionCompleted', 100 + n, sold)
    }
    await service.withdraw((await service.created(seller, { title: 'withdrawn' })).id, seller)
  })

  it.each([
    ['status=active', ['active, private', 'active']],
    ['status=sold', ['sold 3', 'sold 2', 'sold 1']],
    ['status=reserved', []],
    ['status=active&status=inactive', ['withdrawn', 'active, private', 'active']],
    ['status=active&q=private', ['active, private']],
  ])('are those with %s', async (query, expected) => {
    expect(await own(query)).toEqual(expected)
  })

  it('contain unsold listings, also when many newer ones are sold', async () => {
    const unsold = (page: string) =>
      service.list(`?sellerId=${seller.id}&status=active&status=inactive&${page}`, seller)
    const first = await unsold('limit=2')
    expect(titles(first.body)).toEqual(['withdrawn', 'active, private'])
    const link = first.headers.get('link')!
    const kept = new URLSearchParams(/\?([^>]*)>/.exec(link)![1])
    expect(kept.getAll('status')).toEqual(['active', 'inactive'])
    const second = await service.list(`?${kept}`, seller)
    expect([titles(second.body), second.headers.get('link')]).toEqual([['active'], null])
  })

  it.each([
    ['a visitor', undefined, () => `?sellerId=${seller.id}&status=sold`],
    ['another user', eve, () => `?sellerId=${seller.id}&status=sold`],
    ['a seller who does not name their own id', seller, () => '?status=active'],
  ])('are refused to %s, and the refusal names the parameter', async (_, viewer, query) => {
    const answer = await service.list(query(), viewer)
    expect(answer).toMatchObject({ status: 400, body: { details: { fields: { status: expect.any(String) } } } })
  })

  it.each(['status=stolen', 'status=', 'status=active,sold'])('are refused with %s', async query => {
    const answer = await service.list<{ details: { fields: object } }>(`?sellerId=${seller.id}&${query}`, seller)
    expect([answer.status, Object.keys(answer.body.details.fields)]).toEqual([400, ['status']])
  })
})

describe('the search', () => {
  const seller = person('Quinn')
  beforeAll(async () => {
    const offers = [
      { title: 'Vintage watch', description: 'Swiss, automatic', category: 'Watches', condition: 'Good', price: '300' },
      {
        title: 'Café table',
        description: 'Two watches were repaired on it',
        category: 'Home & Garden',
        price: '80.25',
      },
      {
        title: 'ÜBER-bike',
        description: 'Fast: 27.5 inch wheels/alloy',
        category: 'Sports',
        condition: 'New',
        price: '900',
      },
      { title: 'Women’s coat', description: '100% wool', category: 'Fashion', condition: 'New', price: '80.26' },
      { title: 'Бабушкин самовар', description: 'Тула, 1910', category: 'Art', condition: 'Fair', price: '500' },
    ]
    for (const offer of offers) await service.created(seller, offer)
  })
  const search = async (query: string) => (await found(`?sellerId=${seller.id}&${query}`)).sort()

  it.each([
    ['watch', ['Café table', 'Vintage watch']],
    ['watches', ['Café table', 'Vintage watch']],
    ['wat', ['Café table', 'Vintage watch']],
    ['WATCH vint', ['Vintage watch']],
    ['the watches vint', ['Vintage watch']],
    ['vint watch', []],
    ['the', []],
    ['automatic swiss', ['Vintage watch']],
    ['swiss wool', []],
    ['cafe', ['Café table']],
    ['CAFÉ', ['Café table']],
    ['uber', ['ÜBER-bike']],
    ['über-bike', ['ÜBER-bike']],
    ['bike', ['ÜBER-bike']],
    ['27.5', ['ÜBER-bike']],
    ['wheels/alloy', ['ÜBER-bike']],
    ["women's", ['Women’s coat']],
    ['100%', ['Women’s coat']],
    ['самовар', ['Бабушкин самовар']],
    ['САМО', ['Бабушкин самовар']],
    ['сам бабушк', ['Бабушкин самовар']],
    ['ike', []],
    ['%', []],
    ["'", []],
    ["swiss' | 'wool & !", []],
    ['\\', []],
    ['():*&|!<->', []],
  ])('for %j finds %j', async (q, expected) => {
    expect(await search(`q=${encodeURIComponent(q).replaceAll("'", '%27')}`)).toEqual(expected)
  })

  it('for an empty text finds everything', async () => {
    expect(await search('q=')).toHaveLength(5)
    expect(await search('q=%20%20')).toHaveLength(5)
  })

  it.each([
    ['category=Watches', ['Vintage watch']],
    ['condition=New', ['Women’s coat', 'ÜBER-bike']],
    ['category=Sports&condition=Fair', []],
    ['minPrice=80.26&maxPrice=300', ['Vintage watch', 'Women’s coat']],
    ['minPrice=900', ['ÜBER-bike']],
    ['maxPrice=80.25', ['Café table']],
    ['maxPrice=0', []],
    ['q=watch&maxPrice=100', ['Café table']],
  ])('with %s finds %j', async (query, expected) => {
    expect(await search(query)).toEqual(expected)
  })

  it.each([
    ['minPrice=1.005', 'minPrice'],
    ['minPrice=3.000', 'minPrice'],
    ['maxPrice=3,000', 'maxPrice'],
    ['maxPrice=-1', 'maxPrice'],
    ['category=Cars', 'category'],
    ['sort=oldest', 'sort'],
    ['limit=101', 'limit'],
    ['limit=0', 'limit'],
    ['limit=1e1', 'limit'],
    ['limit=+5', 'limit'],
    ['before=0x10', 'before'],
    ['minPrice=+5', 'minPrice'],
    ['before=x', 'before'],
    ['sellerId=7', 'sellerId'],
    ['after=MTAw', 'after'],
    ['sort=price-asc&after=nonsense', 'after'],
    ['sort=price-asc&before=7', 'before'],
    [`q=${'x'.repeat(101)}`, 'q'],
    ['q=%00', 'q'],
  ])('with %s is refused, and the refusal names the parameter', async (query, field) => {
    const { status, body } = await service.list<{ details: { fields: object } }>(`?${query}`)
    expect({ status, fields: Object.keys(body.details.fields) }).toEqual({ status: 400, fields: [field] })
  })
})

describe('the pages of a list', () => {
  const seller = person('Pat')
  const before: Listing[] = []
  beforeAll(async () => {
    // Prices repeat, so that pages end between listings of the same price.
    for (let i = 0; i < 11; i++)
      before.push(await service.created(seller, { title: `P${i}`, price: String(5 + (i % 3)) }))
  })
  const query = (sort: string) => `?sellerId=${seller.id}&q=P&limit=3&sort=${sort}&category=Home+%26+Garden`
  const ids = (listings: readonly Listing[]) => listings.map(listing => listing.id)
  const added: number[] = []
  const addOne = async () => {
    for (const price of ['1', '6', '99']) added.push((await service.created(seller, { title: 'P late', price })).id)
  }

  it.each(['newest', 'price-asc', 'price-desc'])(
    'by %s contain every listing once while others are added',
    async sort => {
      const known = new Set(added)
      const all = ids(await everyPage(query(sort), addOne))
      expect(new Set(all).size).toBe(all.length)
      expect(all).toEqual(expect.arrayContaining([...ids(before), ...known]))
    },
  )

  it('are in the requested order', async () => {
    expect(ids(await everyPage(query('newest')))).toEqual([...ids(before), ...added].sort((a, b) => b - a))
    const rising = (await everyPage(query('price-asc'))).map(listing => Number(listing.price))
    expect(rising).toEqual([...rising].sort((a, b) => a - b))
    const falling = (await everyPage(query('price-desc'))).map(listing => Number(listing.price))
    expect(falling).toEqual([...rising].reverse())
  })

  it('end without a link, also when the last one is full', async () => {
    const last = await service.list(`?sellerId=${ana.id}`)
    expect([last.body, last.headers.get('link')]).toEqual([[], null])
    const lone = person('Lone')
    for (let i = 0; i < 2; i++) await service.created(lone)
    expect((await service.list(`?sellerId=${lone.id}&limit=2`)).headers.get('link')).toBeNull()
    expect((await service.list(`?sellerId=${lone.id}&limit=1`)).headers.get('link')).toContain('limit=1')
  })

  it('keep every filter in the link', async () => {
    const link = (await service.list(`${query('price-desc')}&minPrice=1&maxPrice=1000&condition=Good`)).headers.get(
      'link',
    )!
    const kept = Object.fromEntries(new URLSearchParams(/\?([^>]*)>/.exec(link)![1]))
    expect(kept).toEqual({
      sellerId: seller.id,
      q: 'P',
      limit: '3',
      sort: 'price-desc',
      category: 'Home & Garden',
      minPrice: '1',
      maxPrice: '1000',
      condition: 'Good',
      after: expect.any(String),
    })
  })

  it('have 50 listings without a limit', async () => {
    const many = person('Many')
    await service.created(many)
    await service.database.admin.query(
      `INSERT INTO listing.listing (${COLUMNS}) SELECT ${COLUMNS} FROM listing.listing, generate_series(1, 50) WHERE seller_id = $1`,
      [many.id],
    )
    expect((await service.list(`?sellerId=${many.id}`)).body).toHaveLength(50)
  })
})

describe('the counts of the listings on sale', () => {
  const count = async (query: string) => {
    const { status, body } = await service.list<ListingFacets>(`/facets${query}`)
    expect(status).toBe(200)
    return body
  }

  it('follow the search and the filters, and leave out what cannot be bought', async () => {
    const seller = person('Cora')
    const offer = (changes: object) => service.created(seller, { title: 'Counted kite', ...changes })
    await offer({ category: 'Sports', condition: 'New', price: '10' })
    await offer({ category: 'Sports', condition: 'Good', price: '20' })
    await offer({ category: 'Art', condition: 'Good', price: '30' })
    await offer({ category: 'Art', isPrivate: true })
    await service.withdraw((await offer({ category: 'Art' })).id, seller)
    expect(await count('?q=counted%20kite')).toEqual({
      total: 3,
      category: [
        { value: 'Sports', count: 2 },
        { value: 'Art', count: 1 },
      ],
      condition: [
        { value: 'New', count: 1 },
        { value: 'Good', count: 2 },
      ],
    })
    expect(await count('?q=kite&category=Art&maxPrice=20')).toEqual({
      total: 0,
      category: [{ value: 'Sports', count: 2 }],
      condition: [],
    })
    expect((await count('?q=!!')).total).toBe(0)
  })

  it('are refused for a price that is none', async () => {
    expect(await service.list('/facets?minPrice=1.001')).toMatchObject({
      status: 400,
      body: { code: 'AMOUNT_INVALID' },
    })
    expect((await service.list('/facets?category=Nothing')).status).toBe(400)
  })

  it('are refused to a visitor who already waits for many, and nobody waits after leaving', async () => {
    const ask = (minPrice: number, signal = new AbortController().signal) =>
      service.client.request('GET', `/api/listings/facets?minPrice=${minPrice}`, { clientIp: '192.0.2.9', signal })
    const lock = await service.database.admin.connect()
    try {
      await lock.query('BEGIN; LOCK TABLE listing.listing')
      const leaving = new AbortController()
      // One is being counted, and one is too many.
      const asked = Array.from({ length: MAX_COUNTS_WAITING_PER_VIEWER + 2 }, (_, index) => ask(index, leaving.signal))
      expect(await Promise.race(asked)).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } })
      leaving.abort()
      await Promise.allSettled(asked)
      const waiting = await eventually(async () => {
        const answer = ask(100)
        return (await Promise.race([answer, delay(200)])) ? null : [answer]
      })
      await lock.query('ROLLBACK')
      expect(await waiting[0]).toMatchObject({ status: 200 })
    } finally {
      await lock.query('ROLLBACK')
      lock.release()
    }
  })
})

describe('among many listings', () => {
  beforeAll(async () => {
    const { admin } = service.database
    await admin.query(`INSERT INTO listing.listing (${COLUMNS})
      SELECT 1, 'Many', 'Many', 1 + n % 9973, 'USD', CASE n % 50 WHEN 0 THEN 'Books' ELSE 'Art' END, 'Good', CASE n % 4 WHEN 0 THEN 'active' ELSE 'sold' END, false,
        id, id, 0, 'no-returns', '{}', now(), now(), 'many word' || n % 997
        FROM generate_series(1, 20000) n, (SELECT id FROM listing.seller LIMIT 1) s`)
    await admin.query('VACUUM ANALYZE listing.listing')
  })

  async function planOf(query: Partial<ListQuery>, viewer?: Person): Promise<string> {
    return explain(listStatement({ limit: 50, sort: 'newest', ...query }, viewer?.id ?? null))
  }

  async function explain({ text, values }: { text: string; values: unknown[] }): Promise<string> {
    const client = await service.database.admin.connect()
    try {
      await client.query('SET search_path = listing')
      const { rows } = await client.query<Record<string, string>>(`EXPLAIN ${text}`, values)
      return rows.map(row => row['QUERY PLAN']).join('\n')
    } finally {
      client.release()
    }
  }

  it.each<[string, Partial<ListQuery>, string]>([
    ['the newest', {}, 'listing_newest'],
    ['a later page of the newest', { before: 10_000 }, 'listing_newest'],
    ['the cheapest', { sort: 'price-asc' }, 'listing_by_price'],
    [
      'a later page by descending price',
      { sort: 'price-desc', after: writeCursor({ priceMinor: 5000n, id: 9 }) },
      'listing_by_price',
    ],
    ['a category', { category: 'Books' }, 'listing_by_category'],
    ['a word', { q: 'word123' }, 'listing_search'],
    ['the listings of a seller', { sellerId: ana.id }, 'listing_by_seller'],
  ])('%s are found by an index', async (_, query, index) => {
    const plan = await planOf(query)
    expect(plan).toContain(index)
    expect(plan).not.toContain('Seq Scan on listing')
  })

  it('are counted from an index alone', async () => {
    const plan = await explain(facetsStatement({ minPrice: '3' }))
    expect(plan).toContain('Index Only Scan using listing_facets')
  })

  it('one’s own unsold ones are found by an index that contains the status', async () => {
    const plan = await planOf({ sellerId: ana.id, status: ['active', 'inactive'] }, ana)
    expect(plan).toMatch(/listing_by_seller[\s\S]*Index Cond: .*status = ANY/)
  })
})
