import type { ReviewRecord } from '@holdfast/contracts/reviews'
import { newId } from '@holdfast/kernel/ids'
import type { UserActor } from '@holdfast/service-kit/auth/actor'
import { eventually } from '@holdfast/testing/eventually'
import { userActor } from '@holdfast/testing/signed-client'
import { chargeback } from '@holdfast/testing/stripe-events'
import { RunningEscrow } from '../../test/running-escrow.js'

describe('reviews', () => {
  let escrow: RunningEscrow
  beforeAll(async () => {
    escrow = await RunningEscrow.start()
  })
  afterAll(() => escrow.stop())

  const review = (id: number, actor: UserActor | null, body: unknown = { rating: 5 }) =>
    escrow.request<ReviewRecord & { code: string }>('POST', `/api/transactions/${id}/review`, { actor, body })
  const ofDeal = (id: number, actor: UserActor) =>
    escrow.request<{ mayReview: boolean; reviews: ReviewRecord[] }>('GET', `/api/transactions/${id}/reviews`, { actor })
  const about = async (userId: string, page: object = {}) =>
    (await escrow.request<ReviewRecord[]>('POST', '/internal/reviews/list', { body: { userId, ...page } })).body
  const completed = async () => {
    const deal = await escrow.inInspection()
    await escrow.act(deal.id, deal.buyer, 'accept')
    return deal
  }

  it('are written once by each party of a completed deal, and publish no text', async () => {
    const { id, buyer, seller } = await completed()
    expect((await ofDeal(id, buyer)).body).toEqual({ mayReview: true, reviews: [] })
    const first = await review(id, buyer, { rating: 4, text: '  Well packed.  ' })
    expect(first).toMatchObject({ status: 201, body: { rating: 4, text: 'Well packed.', authorRole: 'buyer' } })
    expect(await review(id, buyer, { rating: 1 })).toMatchObject({ status: 409, body: { code: 'REVIEW_EXISTS' } })
    expect((await ofDeal(id, buyer)).body).toEqual({ mayReview: false, reviews: [first.body] })
    expect((await ofDeal(id, seller)).body.mayReview).toBe(true)
    const second = await review(id, seller)
    expect(second).toMatchObject({ status: 201, body: { rating: 5, text: null, authorRole: 'seller' } })
    expect(await about(seller.id)).toEqual([first.body])
    expect(await about(buyer.id)).toEqual([second.body])
    const published = async () =>
      (
        await escrow.database.admin.query(
          `SELECT payload FROM events.log WHERE key = $1 AND type = 'escrow.transaction.reviewed.v1'`,
          [String(id)],
        )
      ).rows
    await eventually(async () => (await published()).length === 2)
    expect(JSON.stringify(await published())).not.toContain('packed')
  })

  it('are refused to both parties when the seller has never accepted, whom a mediator has paid nevertheless', async () => {
    const { id, buyer, seller } = await completed()
    // No party can bring a deal here alone.
    await escrow.database.admin.query(`DELETE FROM escrow.acceptance WHERE transaction_id = $1 AND party = 'seller'`, [
      id,
    ])
    for (const party of [buyer, seller]) {
      expect(await review(id, party, { rating: 1 })).toMatchObject({
        status: 409,
        body: { code: 'SELLER_NOT_ACCEPTED' },
      })
      expect((await ofDeal(id, party)).body).toEqual({ mayReview: false, reviews: [] })
    }
    expect(await about(seller.id)).toEqual([])
  })

  it('of two at the same moment one counts', async () => {
    const { id, buyer } = await completed()
    const answers = await Promise.all([1, 2, 3].map(() => review(id, buyer)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
  })

  it('are refused before the end, after a cancellation, to strangers and visitors', async () => {
    const { id, buyer, seller } = await escrow.inInspection()
    expect(await review(id, buyer)).toMatchObject({ status: 409, body: { code: 'ESCROW_WRONG_STATE' } })
    expect((await ofDeal(id, buyer)).body.mayReview).toBe(false)
    expect((await review(id, userActor())).status).toBe(404)
    expect((await ofDeal(id, userActor())).status).toBe(404)
    expect((await review(id, null)).status).toBe(401)
    const refunded = await escrow.paidAtProvider()
    await escrow.act(refunded.id, refunded.seller, 'refund')
    expect((await review(refunded.id, refunded.buyer)).status).toBe(409)
    expect(await about(seller.id)).toEqual([])
  })

  it('are not written by a buyer whose bank took the whole payment back, and those that were written stay', async () => {
    const late = await completed()
    const early = await completed()
    const first = await review(early.id, early.buyer)
    for (const deal of [late, early]) {
      await escrow.webhook(chargeback(deal.intent, deal.totalMinor, 'created'))
      expect((await ofDeal(deal.id, deal.buyer)).body.mayReview).toBe(deal === late)
      await escrow.webhook(chargeback(deal.intent, deal.totalMinor, 'lost'))
    }
    expect(await escrow.status(late.id)).toBe('completed')
    expect((await ofDeal(late.id, late.buyer)).body.mayReview).toBe(false)
    expect(await review(late.id, late.buyer)).toMatchObject({ status: 409, body: { code: 'ESCROW_WRONG_STATE' } })
    expect((await ofDeal(late.id, late.seller)).body.mayReview).toBe(true)
    expect(await review(late.id, late.seller, { rating: 1 })).toMatchObject({ status: 201 })
    expect(await about(early.seller.id)).toEqual([first.body])
  })

  it('keep what looks like HTML as the text that it is, and lose characters that hide text', async () => {
    const { id, buyer, seller } = await completed()
    const text = '<script>alert(1)</script> <b>5 > 4</b> &amp;'
    expect(await review(id, buyer, { rating: 5, text: `${text}\u202e` })).toMatchObject({ body: { text } })
    expect((await about(seller.id))[0]!.text).toBe(text)
    const longest = 'ü'.repeat(1000)
    expect(await review(id, seller, { rating: 5, text: longest })).toMatchObject({
      status: 201,
      body: { text: longest },
    })
  })

  it('of a seller with 1,000 of them are read page by page, each once, while others are written', async () => {
    const { id, buyer, seller } = await completed()
    await review(id, buyer)
    const { admin } = escrow.database
    await admin.query(
      `INSERT INTO escrow.review (id, transaction_id, author_id, author_role, subject_id, rating)
       SELECT (lpad(to_hex(1000000 + n), 12, '0') || '7000' || '8' || lpad(to_hex(n), 15, '0'))::uuid, $1,
         (lpad(to_hex(n), 12, '0') || '70008' || lpad(to_hex(n), 15, '0'))::uuid, 'buyer', $2, 1 + n % 5
       FROM generate_series(1, 1000) n`,
      [id, seller.id],
    )
    const ids: string[] = []
    for (let before: string | undefined; ; before = ids.at(-1)) {
      const page = await about(seller.id, { limit: 100, ...(before && { before }) })
      ids.push(...page.map(each => each.id))
      if (page.length < 100) break
      await admin.query(
        `INSERT INTO escrow.review (id, transaction_id, author_id, author_role, subject_id, rating)
         VALUES ($1, $2, $3, 'buyer', $4, 5)`,
        [newId(), id, newId(), seller.id],
      )
    }
    expect(ids).toHaveLength(1001)
    expect(new Set(ids).size).toBe(1001)
  })

  it.each([
    ['rating', { rating: 0 }],
    ['rating', { rating: 6 }],
    ['rating', { rating: 4.5 }],
    ['rating', {}],
    ['text', { rating: 5, text: 'x'.repeat(1001) }],
  ])('a wrong %s is named: %j', async (field, body) => {
    const { id, buyer } = await escrow.open()
    expect(await review(id, buyer, body)).toMatchObject({
      status: 400,
      body: { details: { fields: { [field]: expect.any(String) } } },
    })
  })

  it('are listed in pages, newest first', async () => {
    const deals = [await completed(), await completed()]
    const [{ seller }] = deals as [(typeof deals)[0]]
    for (const { id, buyer, seller: own } of deals) {
      // The second deal has another seller: its review moves to the first one, as if they had sold both.
      const { body } = await review(id, buyer)
      if (own.id !== seller.id)
        await escrow.database.admin.query('UPDATE escrow.review SET subject_id = $2 WHERE id = $1', [
          body.id,
          seller.id,
        ])
    }
    const all = await about(seller.id)
    expect(all).toHaveLength(2)
    expect(all[0]!.id > all[1]!.id).toBe(true)
    expect(await about(seller.id, { limit: 1 })).toEqual([all[0]])
    expect(await about(seller.id, { limit: 1, before: all[0]!.id })).toEqual([all[1]])
  })
})
