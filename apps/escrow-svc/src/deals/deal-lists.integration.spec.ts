import type { TransactionRecord } from '@holdfast/contracts/transactions'
import type { DealStatus } from '@holdfast/kernel/deals'
import { newId } from '@holdfast/kernel/ids'
import type { DealUnderTest } from '../../test/deal-driver.js'
import { RunningEscrow } from '../../test/running-escrow.js'
import { QUERIES } from '../stuck/stuck.service.js'
import { DUE_DEALS } from './deal-deadlines.js'
import { DealQueries, type DealsPage } from './deal-queries.js'

/** The completed deals of one seller. */
const MANY = 20_000
const RUNNING: DealStatus[] = ['pending', 'paid', 'shipped', 'inspection', 'disputed']

describe('the list of a user’s deals', () => {
  let escrow: RunningEscrow
  let deal: DealUnderTest
  let other: DealUnderTest

  beforeAll(async () => {
    escrow = await RunningEscrow.start()
    deal = await escrow.inInspection({ title: 'Café Racer, 27.5" wheels' })
    await escrow.act(deal.id, deal.buyer, 'accept')
    other = await escrow.open({ title: 'Self-winding watch' }, deal.buyer, deal.seller)
  })
  afterAll(() => escrow.stop())

  const found = async (query: string, actor = deal.seller) => {
    const { status, body } = await escrow.request<TransactionRecord[]>('GET', `/internal/transactions?${query}`, {
      actor,
    })
    expect(status).toBe(200)
    return body.map(({ id }) => id)
  }
  const search = (q: string, more = '') => found(`q=${encodeURIComponent(q)}${more}`)

  it('is searched by the beginnings of words, with and without accents and case', async () => {
    expect(await search('cafe rac')).toEqual([deal.id])
    expect(await search('CAFÉ 27.5')).toEqual([deal.id])
    expect(await search('watch cafe')).toEqual([])
    expect(await search('winding')).toEqual([other.id])
    expect(await search('!!')).toEqual([])
    expect(await search('   ')).toEqual([other.id, deal.id])
  })

  it('is searched by the number of a deal and by a tracking number', async () => {
    expect(await search(`#${deal.id}`)).toEqual([deal.id])
    expect(await search(String(other.id))).toEqual([other.id])
    expect(await search(`T${deal.id}`)).toEqual([deal.id])
    expect(await search('999999999999999999999')).toEqual([])
  })

  it('has only the deals of its user, whatever they search for', async () => {
    const stranger = await escrow.open()
    expect(await found(`q=%23${deal.id}`, stranger.seller)).toEqual([])
    expect(await found('q=cafe', stranger.seller)).toEqual([])
    expect(await found('q=cafe', deal.buyer)).toEqual([deal.id])
  })

  it('finds the deals with people whom the gateway found by name, and no deal of others with them', async () => {
    const stranger = await escrow.open({}, deal.buyer)
    const named = async (others: string[], more: object = {}, actor = deal.seller) => {
      const body = { q: 'somebody', others, ...more }
      const answer = await escrow.request<TransactionRecord[]>('POST', '/internal/transactions/search', { actor, body })
      expect(answer.status).toBe(200)
      return answer.body.map(({ id }) => id)
    }
    expect(await named([deal.buyer.id])).toEqual([other.id, deal.id])
    expect(await named([deal.buyer.id], { status: 'completed' })).toEqual([deal.id])
    expect(await named([deal.buyer.id], { limit: 1, before: other.id })).toEqual([deal.id])
    expect(await named([stranger.seller.id])).toEqual([])
    expect(await named([stranger.seller.id], {}, deal.buyer)).toEqual([stranger.id])
    const partners = await escrow.request('GET', '/internal/transactions/partners', { actor: deal.buyer })
    expect(partners.body).toEqual([stranger.seller.id, deal.seller.id])
  })

  it('is narrowed by role, status and search together', async () => {
    expect(await search('watch', '&status=pending&role=seller')).toEqual([other.id])
    expect(await search('watch', '&status=completed')).toEqual([])
    expect(await search('watch', '&role=buyer')).toEqual([])
  })

  it('finds the deals that the release before this one opened', async () => {
    await escrow.database.admin.query('UPDATE escrow.transaction SET search_text = NULL WHERE id = $1', [other.id])
    expect(await search('SELF winding')).toEqual([other.id])
  })

  describe(`with ${MANY} deals`, () => {
    beforeAll(() => copyDeal(escrow, deal.id, MANY), 60_000)

    /** The plan of a page, as PostgreSQL has executed it. */
    async function planOf(page: Partial<DealsPage>): Promise<string> {
      const [text, values] = escrow.service.app
        .get(DealQueries)
        .pageOf(deal.seller.id, { limit: 50, role: 'seller', ...page })
        .getQueryAndParameters()
      const rows: Record<string, string>[] = await escrow.dataSource.query(`EXPLAIN (ANALYZE) ${text}`, values)
      return rows.map(row => row['QUERY PLAN']).join('\n')
    }

    it.each<[string, Partial<DealsPage>, string]>([
      ['the newest', {}, 'transaction_(seller|pkey)'],
      ['a later page', { before: 10_000 }, 'transaction_(seller|pkey)'],
      ['the running ones', { status: RUNNING }, 'transaction_seller_status'],
      ['the past ones', { status: ['completed', 'cancelled'] }, 'transaction_(seller|pkey)'],
      ['a rare word', { q: 'word777' }, 'transaction_search'],
      ['a word that each of them has', { q: 'copied' }, 'transaction_(seller|pkey|search)'],
      ['a tracking number', { q: 'COPY-778' }, 'transaction_tracking'],
      ['the deals with a person', { q: 'word777', others: [newId()] }, 'transaction_(buyer|seller)'],
    ])('%s are read by an index', async (_, page, index) => {
      const plan = await planOf(page)
      expect(plan).toMatch(new RegExp(index))
      expect(plan).not.toContain('Seq Scan')
    })

    it.each([['receive_by'], ['payment_window'], ['ship_by', 'inspection']])(
      'those whose clock %s is due are found without reading the others',
      async (...clocks) => {
        const rows: Record<string, string>[] = await escrow.dataSource.query(`EXPLAIN ${DUE_DEALS}`, [
          clocks,
          60_000,
          1_000,
        ])
        const plan = rows.map(row => row['QUERY PLAN']).join('\n')
        expect(plan).toContain('transaction_due')
        expect(plan).not.toContain('Seq Scan on transaction')
      },
    )

    it('those that are overdue are found without reading the others', async () => {
      const rows: Record<string, string>[] = await escrow.dataSource.query(`EXPLAIN ${QUERIES.clock_overdue}`)
      expect(rows.map(row => row['QUERY PLAN']).join('\n')).toContain('Index Scan using transaction_due')
    })

    it('is read page by page, each deal once, while others are opened', async () => {
      const ids: number[] = []
      let before = ''
      for (let page = 0; page < 3; page++) {
        const part = await search('copied', `&limit=100&role=seller${before}`)
        expect(part).toHaveLength(100)
        ids.push(...part)
        before = `&before=${part.at(-1)}`
        await escrow.open({ title: 'copied meanwhile' }, deal.buyer, deal.seller)
      }
      expect(new Set(ids).size).toBe(300)
      expect(ids).toEqual(ids.toSorted((a, b) => b - a))
    })
  })
})

/** Copies the row of a completed deal, each copy with a title, a listing and a tracking number of its own. */
async function copyDeal(escrow: RunningEscrow, id: number, count: number): Promise<void> {
  const { admin } = escrow.database
  const { columns } = await escrow.row<{ columns: string }>(
    `SELECT string_agg(quote_ident(column_name), ', ') AS columns FROM information_schema.columns
     WHERE table_schema = 'escrow' AND table_name = 'transaction'
       AND column_name NOT IN ('id', 'listing_id', 'title', 'search_text', 'tracking_number')`,
    [],
  )
  await admin.query(
    `INSERT INTO escrow.transaction (listing_id, title, search_text, tracking_number, ${columns})
     SELECT 1000000 + n, 'Copied word' || n % 997, 'copied word' || n % 997, 'COPY-' || n, ${columns}
     FROM escrow.transaction, generate_series(1, ${count}) n WHERE id = $1`,
    [id],
  )
  await admin.query('VACUUM ANALYZE escrow.transaction')
}
