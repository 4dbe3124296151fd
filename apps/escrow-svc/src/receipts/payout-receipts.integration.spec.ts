import type { Payout } from '@holdfast/contracts/payouts'
import type { PayoutReceipt } from '@holdfast/contracts/receipts'
import { newId } from '@holdfast/kernel/ids'
import { MAX_DEALS_OF_RECEIPT } from '@holdfast/kernel/receipts'
import type { UserActor } from '@holdfast/service-kit/auth/actor'
import { userActor } from '@holdfast/testing/signed-client'
import { RunningEscrow } from '../../test/running-escrow.js'
import { SellerPayouts } from '../../test/seller-payouts.js'

describe('the history of a seller’s payouts', () => {
  let escrow: RunningEscrow
  let payouts: SellerPayouts
  beforeAll(async () => {
    escrow = await RunningEscrow.start()
    payouts = new SellerPayouts(escrow)
  })
  afterAll(() => escrow.stop())

  const history = async (actor: UserActor, query = '') => {
    const { body, headers } = await escrow.request<Payout[]>('GET', `/api/payouts/history${query}`, { actor })
    return { ids: body.map(({ id }) => id), next: /history(\?[^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] }
  }
  const receipt = (id: string, actor: UserActor | null) =>
    escrow.request<PayoutReceipt & { code?: string }>('GET', `/api/payouts/${id}`, { actor })

  it('has each payout once, page by page, for its seller alone', async () => {
    const seller = await payouts.seller()
    const made: string[] = []
    for (let n = 0; n < 3; n++) {
      await payouts.sell(seller)
      made.unshift((await payouts.request(seller)).body.id)
    }
    const first = await history(seller, '?limit=2')
    await payouts.sell(seller)
    await payouts.request(seller)
    const second = await history(seller, first.next)
    expect([...first.ids, ...second.ids]).toEqual(made)
    expect(second.next).toBeUndefined()
    expect((await history(userActor())).ids).toEqual([])
    expect((await escrow.request('GET', '/api/payouts/history', { actor: null })).status).toBe(401)
  })

  it('has a receipt whose parts sum to the payout', async () => {
    const seller = await payouts.seller()
    const deals = [await payouts.sell(seller), await payouts.sell(seller, '33.33')]
    // A correction of the balance by Holdfast belongs to no deal.
    await adjust(seller, 500)
    const { body: payout } = await payouts.request(seller)
    const { status, body } = await receipt(payout.id, seller)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      ...{ id: payout.id, amount: '136.33', number: `P-${payout.id.slice(-12).toUpperCase()}` },
      ...{ bankLabel: 'Test Bank ending in 6789', dealCount: 2, otherDeals: '0.00', corrections: '5.00' },
      deals: [
        { transactionId: deals[1]!.id, amount: '32.83' },
        { transactionId: deals[0]!.id, amount: '98.50' },
      ],
    })
    for (const other of [userActor(), await payouts.seller()])
      expect(await receipt(payout.id, other)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
    expect((await receipt(newId(), seller)).status).toBe(404)
    expect((await receipt(payout.id, null)).status).toBe(401)
  })

  it('keeps the books right for a seller whose balance was corrected up or down', async () => {
    const [credited, debited] = [await payouts.seller(), await payouts.seller()]
    await payouts.sell(credited)
    await adjust(credited, 500)
    await payouts.request(credited)
    // The correction came after the payout, so the seller owes it.
    await payouts.sell(debited)
    await payouts.request(debited)
    await adjust(debited, -500)
    expect(await escrow.violations()).toEqual([])
  })

  it('sums the deals of a receipt that has too many to list', async () => {
    const seller = await payouts.seller()
    const { id } = await payouts.sell(seller)
    const { body: payout } = await payouts.request(seller)
    const more = MAX_DEALS_OF_RECEIPT + 9
    await escrow.database.admin.query(
      `WITH copies AS (
         INSERT INTO escrow.transaction (status, listing_id, buyer_id, seller_id, opened_by, title, terms, terms_hash, terms_version, currency,
           price_minor, platform_fee_minor, processing_fee_minor, buyer_fee_minor, seller_fee_minor, fee_schedule, buyer_plan, seller_plan,
           inspection_days, created_at, updated_at)
         SELECT 'pending', 900000 + n, buyer_id, seller_id, opened_by, title, terms, terms_hash, terms_version, currency,
           price_minor, platform_fee_minor, processing_fee_minor, buyer_fee_minor, seller_fee_minor, fee_schedule, buyer_plan, seller_plan,
           inspection_days, created_at, updated_at FROM escrow.transaction, generate_series(1, $2) n WHERE id = $1 RETURNING id)
       INSERT INTO escrow.payout_deal SELECT $3, id, 100 FROM copies`,
      [id, more, payout.id],
    )
    const { body } = await receipt(payout.id, seller)
    expect(body.deals).toHaveLength(MAX_DEALS_OF_RECEIPT)
    // The ten oldest: nine copies and the sale itself.
    expect(body).toMatchObject({ dealCount: more + 1, otherDeals: '107.50' })
  })

  /** What an approved adjustment posts. */
  async function adjust(seller: UserActor, amountMinor: number): Promise<void> {
    const entryId = newId()
    const payable = `seller_payable:${seller.id}`
    const [debit, credit] = amountMinor > 0 ? ['revenue', payable] : [payable, 'revenue']
    await escrow.database.admin.query(
      `INSERT INTO escrow.journal_entry (id, transaction_id, kind, at) VALUES ($1, NULL, 'adjustment', now())`,
      [entryId],
    )
    await escrow.database.admin.query(
      `INSERT INTO escrow.posting (entry_id, n, debit, credit, currency, amount_minor) VALUES ($1, 1, $2, $3, 'USD', $4)`,
      [entryId, debit, credit, Math.abs(amountMinor)],
    )
  }
})
