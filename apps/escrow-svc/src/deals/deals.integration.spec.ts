import { randomBytes } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { ListingTerms } from '@holdfast/contracts/terms'
import type { EventContext } from '@holdfast/events/consumer/on-event'
import { FREE_CANCELS_A_DAY, MAX_UNPAID_PURCHASES } from '@holdfast/kernel/deals'
import { newId, uuidv7From } from '@holdfast/kernel/ids'
import type { UserActor } from '@holdfast/service-kit/auth/actor'
import { eventually } from '@holdfast/testing/eventually'
import { userActor } from '@holdfast/testing/signed-client'
import { succeeded } from '@holdfast/testing/stripe-events'
import { untilServed } from '@holdfast/testing/until-served'
import fc from 'fast-check'
import type { DealUnderTest } from '../../test/deal-driver.js'
import { manyInInspection } from '../../test/many-deals.js'
import { RunningEscrow } from '../../test/running-escrow.js'
import { DealsConsumer } from './deals.consumer.js'

/** The race of an acceptance with a dispute: so many rounds, so many of them at a time, and at most so far apart. */
const ROUNDS = 50
const DEALS_AT_ONCE = 5
const MOST_APART_MS = 30

describe('a deal in the escrow', () => {
  let escrow: RunningEscrow

  beforeAll(async () => {
    escrow = await RunningEscrow.start()
  })
  afterAll(() => escrow.stop())

  it('runs from opening to release, and the ledger shows every cent of it', async () => {
    const deal = await escrow.inInspection()
    expect(await escrow.act(deal.id, deal.buyer, 'accept')).toMatchObject({
      status: 200,
      body: { status: 'completed' },
    })
    const ledger = await escrow.request<{ debit: { kind: string }; credit: { kind: string }; amount: string }[]>(
      'GET',
      `/api/transactions/${deal.id}/ledger`,
      { actor: deal.seller },
    )
    expect(ledger.body.map(p => [p.debit.kind, p.credit.kind, p.amount])).toEqual([
      ['provider_clearing', 'hold', '107.00'],
      ['hold', 'seller_payable', '98.50'],
      ['hold', 'revenue', '8.50'],
    ])
    expect(await escrow.violations()).toEqual([])
  })

  describe('shows its balances', () => {
    interface Shown {
      readonly money: { readonly held: string; readonly released: string; readonly refunded: string }
    }
    const shown = async (id: number, actor: UserActor) =>
      (await escrow.request<Shown>('GET', `/internal/transactions/${id}`, { actor })).body.money

    it('while money is held, and after it was released or refunded', async () => {
      const deal = await escrow.inInspection()
      expect(await shown(deal.id, deal.buyer)).toMatchObject({ held: '107.00', released: '0.00', refunded: '0.00' })
      await escrow.act(deal.id, deal.buyer, 'accept')
      expect(await shown(deal.id, deal.seller)).toMatchObject({ held: '0.00', released: '98.50', refunded: '0.00' })
      const other = await escrow.paid()
      await escrow.act(other.id, other.seller, 'refund')
      expect(await shown(other.id, other.buyer)).toMatchObject({ held: '0.00', released: '0.00', refunded: '107.00' })
    })

    it('when a part was refunded, to the cent, and the dashboard counts both parts', async () => {
      const deal = await escrow.inInspection()
      await escrow.database.admin.query(
        `UPDATE escrow.transaction SET status = 'completed', clock = NULL, due_at = NULL, hold_minor = 0,
           released_minor = 5910, refunded_minor = 4001, revenue_minor = 789 WHERE id = $1`,
        [deal.id],
      )
      expect(await shown(deal.id, deal.buyer)).toMatchObject({ held: '0.00', released: '59.10', refunded: '40.01' })
      const summary = async (actor: UserActor) =>
        (await escrow.request('GET', '/api/transactions/summary', { actor })).body
      expect(await summary(deal.seller)).toMatchObject({ totalEarnings: '59.10' })
      expect(await summary(deal.buyer)).toMatchObject({ totalSpent: '66.99' })
      // These balances have no journal entries, so they are undone: other tests compare balances and ledger.
      await escrow.database.admin.query(
        `UPDATE escrow.transaction SET status = 'inspection', clock = 'inspection', due_at = now() + interval '3 days',
           hold_minor = 10700, released_minor = 0, refunded_minor = 0, revenue_minor = 0 WHERE id = $1`,
        [deal.id],
      )
    })

    it('of many deals at once, for the mediators’ queue, without those that do not exist', async () => {
      const [held, refunded] = await Promise.all([escrow.paid(), escrow.paid()])
      await escrow.act(refunded.id, refunded.seller, 'refund')
      const body = { transactionIds: [held.id, refunded.id, 999_999] }
      const { body: found } = await escrow.request('POST', '/internal/transactions/held', { body })
      expect(found).toEqual(
        expect.arrayContaining([
          { id: held.id, held: '107.00' },
          { id: refunded.id, held: '0.00' },
        ]),
      )
      expect(found).toHaveLength(2)
    })

    it('which the database refuses if their sum is not what was paid', async () => {
      const deal = await escrow.inInspection()
      const loseACent = escrow.database.admin.query(
        `UPDATE escrow.transaction SET status = 'completed', hold_minor = 0, released_minor = 9849, revenue_minor = 850,
           clock = NULL, due_at = NULL WHERE id = $1`,
        [deal.id],
      )
      await expect(loseACent).rejects.toThrow('transaction_check')
    })
  })

  it('is listed by the role of the viewer, by status and by listing', async () => {
    const [me, other] = [userActor(), userActor()]
    const bought = await escrow.open({}, me, other)
    const sold = await escrow.open({ listingId: 987_654 }, other, me)
    await escrow.cancel((await escrow.open({}, me, other)).id, me)
    const listed = async (query: string) => {
      const { status, body } = await escrow.request<{ id: number }[]>('GET', `/internal/transactions${query}`, {
        actor: me,
      })
      return status === 200 ? body.map(({ id }) => id) : status
    }
    expect(await listed('')).toEqual([sold.id, bought.id])
    expect(await listed('?role=buyer')).toEqual([bought.id])
    expect(await listed('?role=seller&status=pending&status=paid')).toEqual([sold.id])
    expect(await listed('?status=paid')).toEqual([])
    expect(await listed(`?limit=1&before=${sold.id}`)).toEqual([bought.id])
    expect(await listed('?listingId=987654')).toEqual([sold.id])
    expect(await listed('?status=lost')).toBe(400)
  })

  it('is moved by the name of a status once for each key, and a key is refused for another status', async () => {
    const deal = await escrow.paid()
    const moveTo = (status: string) =>
      escrow.request('PATCH', `/api/transactions/${deal.id}`, {
        actor: deal.buyer,
        body: { status },
        headers: { 'idempotency-key': 'move-once' },
      })
    const moved = { status: 200, body: { id: deal.id, status: 'inspection' } }
    expect(await moveTo('inspection')).toMatchObject(moved)
    expect(await moveTo('inspection')).toMatchObject(moved)
    expect(await moveTo('completed')).toMatchObject({ status: 422, body: { code: 'IDEMPOTENCY_KEY_REUSED' } })
    expect(await escrow.status(deal.id)).toBe('inspection')
  })

  it('is refunded once when the request is repeated with its idempotency key', async () => {
    const deal = await escrow.paid()
    const key = newId()
    const first = await escrow.act(deal.id, deal.seller, 'refund', undefined, key)
    const again = await escrow.act(deal.id, deal.seller, 'refund', undefined, key)
    expect([first, again].map(({ status, body }) => [status, body])).toEqual([
      [200, { id: deal.id, status: 'cancelled' }],
      [200, { id: deal.id, status: 'cancelled' }],
    ])
    expect(await escrow.entries(deal.id)).toEqual(['charge', 'refund'])
    const other = await escrow.paid()
    expect(await escrow.act(other.id, other.seller, 'refund', undefined, key)).toMatchObject({ status: 200 })
  })

  it('shows its parties each step in its timeline, in order', async () => {
    const deal = await escrow.inInspection()
    await escrow.act(deal.id, deal.buyer, 'accept')
    const timeline = await escrow.request<{ kind: string; status: string; actor: string }[]>(
      'GET',
      `/api/transactions/${deal.id}/timeline`,
      { actor: deal.buyer },
    )
    expect(timeline.body.map(fact => [fact.kind, fact.status, fact.actor])).toEqual([
      ['open', 'pending', 'buyer'],
      ['recordFunds', 'paid', 'provider'],
      ['saveTracking', 'shipped', 'seller'],
      ['confirmDelivery', 'delivered', 'buyer'],
      ['inspect', 'inspection', 'buyer'],
      ['accept', 'released', 'buyer'],
      ['complete', 'completed', 'buyer'],
    ])
  })

  it('is released once by 64 accepts at the same time', async () => {
    const deal = await escrow.inInspection()
    const accept = () => untilServed(() => escrow.act(deal.id, deal.buyer, 'accept'))
    const answers = await Promise.all(Array.from({ length: 64 }, accept))
    const statuses = answers.map(answer => answer.status)
    expect(statuses.filter(status => status === 200)).toHaveLength(1)
    expect(statuses.filter(status => status === 409)).toHaveLength(63)
    expect(await escrow.entries(deal.id)).toEqual(['charge', 'release'])
  })

  it('is released once when accepting and the end of the inspection happen at the same time', async () => {
    const deals = await Promise.all(Array.from({ length: 12 }, () => escrow.inInspection()))
    for (const deal of deals) await escrow.elapse(deal.id, 4)
    const accepts = await Promise.all(
      deals.map(async deal => {
        const accept = untilServed(() => escrow.act(deal.id, deal.buyer, 'accept'))
        await Promise.all([escrow.fireTimers(deal.id), escrow.fireTimers(deal.id)])
        return accept
      }),
    )
    // The accept came first (200), or too late (409).
    for (const accept of accepts) expect([200, 409]).toContain(accept.status)
    for (const deal of deals) {
      expect(await escrow.status(deal.id)).toBe('completed')
      expect(await escrow.entries(deal.id)).toEqual(['charge', 'release'])
    }
    expect(await escrow.violations()).toEqual([])
  })

  it('gives the same answer to the same idempotency key, at the same time and later, and refuses the key for other input', async () => {
    const deal = await escrow.paid()
    const key = newId()
    const parcel = { trackingNumber: 'AB 123', carrier: 'UPS' }
    const save = (body: unknown) => escrow.act(deal.id, deal.seller, 'tracking', body, key)
    const atOnce = await Promise.all(Array.from({ length: 8 }, () => save(parcel)))
    const later = await save(parcel)
    for (const answer of [...atOnce, later]) expect(answer).toMatchObject({ status: 200, body: { status: 'shipped' } })
    expect(
      await escrow.row('SELECT count(*)::int AS n FROM escrow.timeline WHERE transaction_id = $1', [deal.id]),
    ).toEqual({
      n: 3,
    })
    expect(await save({ ...parcel, trackingNumber: 'XY 999' })).toMatchObject({
      status: 422,
      body: { code: 'IDEMPOTENCY_KEY_REUSED' },
    })
  })

  it('keeps no answer of a refused command: the same key works once the command is allowed', async () => {
    const deal = await escrow.paid()
    const key = newId()
    expect(await escrow.act(deal.id, deal.buyer, 'accept', undefined, key)).toMatchObject({ status: 409 })
    await escrow.act(deal.id, deal.buyer, 'confirm-delivery')
    expect(await escrow.act(deal.id, deal.buyer, 'accept', undefined, key)).toMatchObject({ status: 200 })
  })

  it('is opened for one of several buyers at the same time', async () => {
    const seller = userActor()
    const terms = escrow.terms(seller)
    const buyers = [userActor(), userActor(), userActor()]
    const answers = await Promise.all(
      buyers.map(buyer =>
        escrow.request('POST', '/internal/transactions', {
          actor: buyer,
          body: { terms, buyerId: buyer.id, purchase: null },
        }),
      ),
    )
    expect(answers.map(answer => answer.status).sort()).toEqual([201, 409, 409])
  })

  describe('on an item that was listed again', () => {
    const listings = () => {
      const seller = userActor()
      const old = escrow.terms(seller)
      return [
        old,
        escrow.terms(seller, { itemId: old.listingId }),
        escrow.terms(seller, { itemId: old.listingId }),
      ] as const
    }
    const open = (terms: ListingTerms, buyer = userActor()) =>
      escrow.request<{ id: number }>('POST', '/internal/transactions', {
        actor: buyer,
        body: { terms, buyerId: buyer.id, purchase: null },
      })

    it('is opened for one of several buyers, whichever listing they have seen', async () => {
      for (let round = 0; round < 5; round++) {
        const answers = await Promise.all(listings().map(terms => open(terms)))
        expect(answers.map(answer => answer.status).sort()).toEqual([201, 409, 409])
      }
    })

    it('is refused while the item has a deal on another listing, and can be opened when that one was cancelled', async () => {
      const [old, newer] = listings()
      const [first, second] = [userActor(), userActor()]
      const { id } = (await open(old, first)).body
      const refused = { status: 409, body: { code: 'LISTING_NOT_AVAILABLE' } }
      expect(await open(newer, second)).toMatchObject(refused)
      await escrow.cancel(id, first)
      expect(await open(newer, second)).toMatchObject({ status: 201 })
      expect(await open(old, first)).toMatchObject(refused)
    })

    it('is not opened by the late event of a listing that was made for one buyer, and the event is no dead letter', async () => {
      const [old, newer] = listings()
      expect(await open(newer)).toMatchObject({ status: 201 })
      const { listingId, sellerId } = old
      const deal = { buyerId: userActor().id, sellerId, openedBy: sellerId }
      const consumer = escrow.service.app.get(DealsConsumer)
      await consumer.openDeal({ listingId, sellerId, terms: { ...old, deal } }, {} as EventContext)
      const count = 'SELECT count(*)::int AS n FROM escrow.transaction WHERE listing_id = $1'
      expect(await escrow.row(count, [listingId])).toEqual({ n: 0 })
    })
  })

  it('is not opened on a reserved listing, even with an idempotency key', async () => {
    const [buyer, seller] = [userActor(), userActor()]
    const body = { terms: escrow.terms(seller, { status: 'reserved' }), buyerId: buyer.id, purchase: null }
    const headers = { 'idempotency-key': newId() }
    expect(await escrow.request('POST', '/internal/transactions', { actor: buyer, body, headers })).toMatchObject({
      status: 409,
      body: { code: 'LISTING_NOT_AVAILABLE' },
    })
  })

  it('is opened once for one idempotency key', async () => {
    const [buyer, seller] = [userActor(), userActor()]
    const body = { terms: escrow.terms(seller), buyerId: buyer.id, purchase: null }
    const open = (input: typeof body) =>
      escrow.request<{ id: number }>('POST', '/internal/transactions', {
        actor: buyer,
        body: input,
        headers: { 'idempotency-key': 'buy-1' },
      })
    const atOnce = await Promise.all([open(body), open(body), open(body)])
    const later = await open(body)
    expect([...atOnce, later].map(answer => answer.status)).toEqual([201, 201, 201, 201])
    expect(new Set([...atOnce, later].map(answer => answer.body.id)).size).toBe(1)
    const another = { terms: escrow.terms(seller), buyerId: buyer.id, purchase: null }
    expect(await open(another)).toMatchObject({ status: 422, body: { code: 'IDEMPOTENCY_KEY_REUSED' } })
    const reserved = { ...body, terms: { ...body.terms, status: 'reserved' as const } }
    expect((await open(reserved)).body.id).toBe(later.body.id)
    // The key still belongs to the deal that it opened, although that deal is cancelled: it does not open another one.
    await escrow.request('DELETE', `/api/transactions/${later.body.id}`, { actor: buyer })
    expect(await open(body)).toMatchObject({ status: 404, body: { code: 'TRANSACTION_NOT_FOUND' } })
  })

  it('is found by the key of the purchase that opened it, whatever happened to it since', async () => {
    const [buyer, seller] = [userActor(), userActor()]
    const terms = escrow.terms(seller)
    const purchase = { listingId: terms.listingId, amount: terms.price }
    const ask = (path: string, key: string, body: object, actor = buyer) =>
      escrow.request<{ id: number; code?: string }>('POST', `/internal/transactions${path}`, {
        actor,
        body,
        headers: { 'idempotency-key': key },
      })
    const find = (key: string, changes: object = {}, actor = buyer) =>
      ask('/purchased', key, { purchase: { ...purchase, ...changes } }, actor)
    expect(await find('buy-2')).toMatchObject({ status: 404, body: { code: 'TRANSACTION_NOT_FOUND' } })
    const opened = await ask('', 'buy-2', { terms, buyerId: buyer.id, purchase })
    expect(opened.status).toBe(201)
    expect(await find('buy-2')).toMatchObject({ status: 200, body: { id: opened.body.id } })
    expect(await find('buy-2', { amount: '99.00' })).toMatchObject({ body: { code: 'IDEMPOTENCY_KEY_REUSED' } })
    expect(await find('buy-2', {}, seller)).toMatchObject({ body: { code: 'TRANSACTION_NOT_FOUND' } })
  })

  it('is either accepted or disputed when both are asked for at the same time, and both answers are true', async () => {
    const seed = Number(process.env.RACES_SEED ?? Date.now() % 1_000_000)
    // By how much the dispute is ahead of the acceptance, in milliseconds.
    const leads = fc.sample(fc.integer({ min: -MOST_APART_MS, max: MOST_APART_MS }), { seed, numRuns: ROUNDS })
    const deals = await manyInInspection(escrow, ROUNDS)
    const race = async (deal: DealUnderTest, leadMs: number, disputeId: number) => {
      const [accepted, frozen] = await Promise.all([
        setTimeout(Math.max(0, leadMs)).then(() => untilServed(() => escrow.act(deal.id, deal.buyer, 'accept'))),
        setTimeout(Math.max(0, -leadMs)).then(() =>
          untilServed(() => escrow.dispute(deal.id, 'freeze', disputeId, deal.buyer.id)),
        ),
      ])
      const stored = { status: await escrow.status(deal.id), entries: await escrow.entries(deal.id) }
      return { answers: [accepted.status, frozen.status], ...stored }
    }
    const ends: Awaited<ReturnType<typeof race>>[] = []
    const rounds = deals.entries()
    const raceOn = async () => {
      for (const [n, deal] of rounds) ends.push(await race(deal, leads[n]!, 9_000 + n))
    }
    await Promise.all(Array.from({ length: DEALS_AT_ONCE }, raceOn))
    const accepted = { answers: [200, 409], status: 'completed', entries: ['charge', 'release'] }
    const disputed = { answers: [409, 200], status: 'disputed', entries: ['charge'] }
    const isDisputed = (end: (typeof ends)[number]) => end.status === 'disputed'
    expect({ seed, ends }).toEqual({ seed, ends: ends.map(end => (isDisputed(end) ? disputed : accepted)) })
    expect([ends.some(isDisputed), ends.every(isDisputed), ends.length]).toEqual([true, false, ROUNDS])
    expect(await escrow.violations()).toEqual([])
  })

  it('cannot be opened on a listing of one’s own', async () => {
    const seller = userActor()
    const body = { terms: escrow.terms(seller), buyerId: seller.id, purchase: null }
    expect(await escrow.request('POST', '/internal/transactions', { actor: seller, body })).toMatchObject({
      status: 403,
    })
  })

  it('cannot be opened by a buyer with too many unpaid purchases, even if all are opened at the same time', async () => {
    const user = userActor()
    const opened = await Promise.allSettled(
      Array.from({ length: MAX_UNPAID_PURCHASES + 4 }, () => escrow.open({}, user)),
    )
    const refusals = opened.filter(each => each.status === 'rejected')
    expect(refusals.map(({ reason }) => String(reason))).toEqual(
      Array.from({ length: 4 }, () => expect.stringContaining('RATE_LIMITED')),
    )
    const [first] = opened.flatMap(each => (each.status === 'fulfilled' ? [each.value] : []))
    await escrow.request('DELETE', `/api/transactions/${first!.id}`, { actor: user })
    expect((await escrow.open({}, user)).id).toBeGreaterThan(first!.id)
  })

  it('cannot be opened as often by a buyer who let purchases lapse, but one always can', async () => {
    const user = userActor()
    const lapse = async () => {
      const { id } = await escrow.open({}, user)
      await escrow.elapse(id, 2)
      await escrow.fireTimers(id)
    }
    for (let n = 0; n < 3; n++) await lapse()
    await escrow.open({}, user)
    const second = await escrow.open({}, user)
    await expect(escrow.open({}, user)).rejects.toThrow('did not pay for earlier ones in time')
    await escrow.elapse(second.id, 2)
    await escrow.fireTimers(second.id)
    await expect(escrow.open({}, user)).rejects.toThrow('did not pay for earlier ones in time')
    const other = userActor()
    for (let n = 0; n < MAX_UNPAID_PURCHASES; n++) await escrow.open({}, other)
  })

  it('can be opened by a buyer who has lapsed often, when nothing of theirs is unpaid', async () => {
    const user = userActor()
    for (let n = 0; n < MAX_UNPAID_PURCHASES + 1; n++) {
      const { id } = await escrow.open({}, user)
      await escrow.elapse(id, 2)
      await escrow.fireTimers(id)
    }
    expect((await escrow.open({}, user)).id).toBeGreaterThan(0)
  })

  describe('that its buyer cancelled', () => {
    async function cancelled(user: UserActor, ...rest: [Parameters<typeof escrow.open>[0]?, UserActor?]) {
      const deal = await escrow.open(rest[0], user, rest[1])
      await escrow.request('DELETE', `/api/transactions/${deal.id}`, { actor: user })
      return deal
    }
    /** Moves what a buyer has done back in time. */
    const daysLater = (user: UserActor, days: number) =>
      escrow.database.admin.query(
        `WITH deal AS (
           UPDATE escrow.transaction SET created_at = created_at - $2 * interval '1 day' WHERE buyer_id = $1 RETURNING id)
         UPDATE escrow.timeline SET at = at - $2 * interval '1 day' FROM deal WHERE transaction_id = deal.id`,
        [user.id, days],
      )

    it('lowers the number of purchases at a time when it was one of many in a day, down to none', async () => {
      const user = userActor()
      for (let n = 0; n < FREE_CANCELS_A_DAY; n++) await cancelled(user)
      const open = []
      for (let n = 0; n < MAX_UNPAID_PURCHASES; n++) open.push(await escrow.open({}, user))
      for (const { id } of open) await escrow.request('DELETE', `/api/transactions/${id}`, { actor: user })
      await expect(escrow.open({}, user)).rejects.toThrow('cancelled many purchases')
      await daysLater(user, 1)
      expect((await cancelled(user)).id).toBeGreaterThan(0)
    })

    it('does not count when its seller cancelled it', async () => {
      const user = userActor()
      for (let n = 0; n < FREE_CANCELS_A_DAY + MAX_UNPAID_PURCHASES; n++) {
        const { id, seller } = await escrow.open({}, user)
        await escrow.request('DELETE', `/api/transactions/${id}`, { actor: seller })
      }
      expect((await escrow.open({}, user)).id).toBeGreaterThan(0)
    })

    it('cannot be opened again once the buyer has reserved the item for days without paying, but by others', async () => {
      const [user, seller, listingId] = [userActor(), userActor(), escrow.terms(userActor()).listingId]
      const reserve = async () => {
        const { id } = await cancelled(user, { listingId }, seller)
        await escrow.database.admin.query(
          `UPDATE escrow.transaction SET created_at = created_at - interval '23 hours' WHERE id = $1`,
          [id],
        )
        await daysLater(user, 1)
      }
      for (let n = 0; n < 4; n++) await reserve()
      await expect(escrow.open({ listingId }, user, seller)).rejects.toThrow('did not pay for this item')
      expect((await escrow.open({}, user)).id).toBeGreaterThan(0)
      expect((await escrow.open({ listingId }, userActor(), seller)).id).toBeGreaterThan(0)
    })
  })

  it('is hidden from both parties when it was cancelled unpaid', async () => {
    const deal = await escrow.open()
    const cancelled = await escrow.request('DELETE', `/api/transactions/${deal.id}`, { actor: deal.seller })
    expect(cancelled).toMatchObject({ status: 200, body: { status: 'cancelled' } })
    for (const actor of [deal.buyer, deal.seller])
      expect(await escrow.request('GET', `/internal/transactions/${deal.id}`, { actor })).toMatchObject({ status: 404 })
  })

  it('is opened once by events about its listing, even if one comes after it was cancelled', async () => {
    const [buyer, seller] = [userActor(), userActor()]
    const deal = { buyerId: buyer.id, sellerId: seller.id, openedBy: seller.id }
    const terms = escrow.terms(seller, { deal })
    const consumer = escrow.service.app.get(DealsConsumer)
    const receiveEvent = () =>
      consumer.openDeal({ listingId: terms.listingId, sellerId: seller.id, terms }, {} as EventContext)
    const count = () =>
      escrow.row('SELECT count(*)::int AS n FROM escrow.transaction WHERE listing_id = $1', [terms.listingId])
    await Promise.all([receiveEvent(), receiveEvent()])
    await receiveEvent()
    expect(await count()).toEqual({ n: 1 })
    const [opened] = (await escrow.request<{ id: number }[]>('GET', '/internal/transactions', { actor: buyer })).body
    expect(await escrow.cancel(opened?.id ?? 0, buyer)).toMatchObject({ status: 200 })
    await receiveEvent()
    expect(await count()).toEqual({ n: 1 })
  })

  it('of a listing for one buyer is opened once, although its event came first and the deal was cancelled since', async () => {
    const [buyer, seller] = [userActor(), userActor()]
    const terms = escrow.terms(seller, { deal: { buyerId: buyer.id, sellerId: seller.id, openedBy: seller.id } })
    await escrow.service.app
      .get(DealsConsumer)
      .openDeal({ listingId: terms.listingId, sellerId: seller.id, terms }, {} as EventContext)
    const open = () =>
      escrow.request<{ id: number }>('POST', '/internal/transactions', {
        actor: seller,
        body: { terms, buyerId: buyer.id, purchase: null },
        headers: { 'idempotency-key': newId() },
      })
    const first = await open()
    expect(first.status).toBe(201)
    await escrow.cancel(first.body.id, buyer)
    expect(await open()).toMatchObject({ status: 404, body: { code: 'TRANSACTION_NOT_FOUND' } })
    const sql = 'SELECT count(*)::int AS n FROM escrow.transaction WHERE listing_id = $1'
    expect(await escrow.row(sql, [terms.listingId])).toEqual({ n: 1 })
  })

  it('was opened by the buyer who buys an item that was once offered to them', async () => {
    const [buyer, seller] = [userActor(), userActor()]
    const offered = escrow.terms(seller, { deal: { buyerId: buyer.id, sellerId: seller.id, openedBy: seller.id } })
    const first = await escrow.request<{ id: number; openedBy: string }>('POST', '/internal/transactions', {
      actor: seller,
      body: { terms: offered, buyerId: buyer.id, purchase: null },
      headers: { 'idempotency-key': newId() },
    })
    expect(first).toMatchObject({ status: 201, body: { openedBy: 'seller' } })
    await escrow.cancel(first.body.id, buyer)
    const purchase = { listingId: offered.listingId, amount: offered.price }
    const bought = await escrow.request('POST', '/internal/transactions', {
      actor: buyer,
      body: { terms: offered, buyerId: buyer.id, purchase },
      headers: { 'idempotency-key': newId() },
    })
    expect(bought).toMatchObject({ status: 201, body: { openedBy: 'buyer' } })
  })

  describe('knows what was signed', () => {
    const acceptancesOf = async (id: number) =>
      (
        await escrow.database.admin.query(
          `SELECT a.party, a.user_id, a.by, a.at, a.terms_hash = t.terms_hash AS same FROM escrow.acceptance a
             JOIN escrow.transaction t ON t.id = a.transaction_id WHERE t.id = $1 ORDER BY a.party, a.by`,
          [id],
        )
      ).rows
    const buy = (terms: ListingTerms, buyer: UserActor) =>
      escrow.request<{ id: number; sellerAccepted: boolean; code?: string }>('POST', '/internal/transactions', {
        actor: buyer,
        body: { terms, buyerId: buyer.id, purchase: { listingId: terms.listingId, amount: terms.price } },
      })

    it('by whom and when, when it was exactly these terms', async () => {
      const [seller, buyer] = [userActor(), userActor()]
      const terms = escrow.terms(seller)
      const { body } = await buy(terms, buyer)
      expect(body.sellerAccepted).toBe(true)
      expect(await acceptancesOf(body.id)).toEqual([
        { party: 'seller', user_id: seller.id, by: 'signing', at: new Date(terms.signedAt), same: true },
      ])
    })

    it.each([
      ['the price is another since', (terms: ListingTerms) => ({ ...terms, price: '999.00' })],
      ['the time is another', (terms: ListingTerms) => ({ ...terms, signedAt: new Date(0).toISOString() })],
    ])('and records no signature of the seller when %s', async (_, change) => {
      const { status, body } = await buy(change(escrow.terms(userActor())), userActor())
      expect([status, body.sellerAccepted, await acceptancesOf(body.id)]).toEqual([201, false, []])
      expect(await escrow.violations()).toEqual([])
    })

    it('and takes the signature of another buyer for nobody’s', async () => {
      const [seller, first, third] = [userActor(), userActor(), userActor()]
      const deal = { buyerId: first.id, sellerId: seller.id, openedBy: first.id }
      const terms = escrow.terms(seller, { signedBy: 'buyer', deal })
      expect(await buy(terms, third)).toMatchObject({ status: 409, body: { code: 'LISTING_NOT_AVAILABLE' } })
      const { body } = await buy(terms, first)
      expect(await acceptancesOf(body.id)).toMatchObject([{ party: 'buyer', user_id: first.id, by: 'signing' }])
    })

    it('also when the event of the listing arrives late, whatever its seller has signed since', async () => {
      const [seller, buyer] = [userActor(), userActor()]
      const deal = { buyerId: buyer.id, sellerId: seller.id, openedBy: seller.id }
      const terms = escrow.terms(seller, { deal })
      const consumer = escrow.service.app.get(DealsConsumer)
      await consumer.openDeal({ listingId: terms.listingId, sellerId: seller.id, terms }, {} as EventContext)
      const { id } = await escrow.row<{ id: number }>('SELECT id FROM escrow.transaction WHERE listing_id = $1', [
        terms.listingId,
      ])
      expect(await acceptancesOf(Number(id))).toMatchObject([
        { party: 'seller', user_id: seller.id, at: new Date(terms.signedAt), same: true },
      ])
    })
  })

  describe('of a seller whom its buyer has named', () => {
    const paidNaming = async (changes: Partial<ListingTerms> = {}) => {
      const deal = await escrow.openNaming(changes)
      const intent = await escrow.beginPayment(deal)
      await escrow.webhook(succeeded(intent, deal.totalMinor))
      return deal
    }
    const shownTo = async (id: number, actor: UserActor) =>
      (
        await escrow.request<{ status: string; actions: string[]; sellerAccepted: boolean }>(
          'GET',
          `/internal/transactions/${id}`,
          { actor },
        )
      ).body
    const notAccepted = { status: 409, body: { code: 'SELLER_NOT_ACCEPTED' } }

    it.each([0, 3])(
      'is completed by nothing that the buyer does alone (%s days of inspection)',
      async inspectionDays => {
        const deal = await paidNaming({ inspectionDays })
        expect(await escrow.act(deal.id, deal.buyer, 'confirm-delivery')).toMatchObject(notAccepted)
        const byStatus = { actor: deal.buyer, body: { status: 'inspection' } }
        expect((await escrow.request('PATCH', `/api/transactions/${deal.id}`, byStatus)).status).toBe(409)
        expect(await escrow.dispute(deal.id, 'freeze', 9_001, deal.buyer.id)).toMatchObject(notAccepted)
        expect(await shownTo(deal.id, deal.buyer)).toMatchObject({ status: 'paid', actions: [], sellerAccepted: false })
        expect((await shownTo(deal.id, deal.seller)).actions).toEqual(['save_tracking', 'start_handover', 'refund'])
        const listed = await escrow.request<{ sellerAccepted: boolean }[]>('GET', '/internal/transactions', {
          actor: deal.seller,
        })
        expect(listed.body).toMatchObject([{ sellerAccepted: false }])
        await escrow.elapse(deal.id, 8)
        await escrow.fireTimers(deal.id)
        expect(await shownTo(deal.id, deal.buyer)).toMatchObject({ status: 'cancelled' })
        expect(await escrow.violations()).toEqual([])
      },
    )

    it('goes on as soon as the seller has shipped or handed over', async () => {
      const shipped = await paidNaming()
      await escrow.act(shipped.id, shipped.seller, 'tracking', { trackingNumber: `T${shipped.id}`, carrier: 'UPS' })
      const handed = await paidNaming()
      const body = { status: 'in_progress' }
      await escrow.request('PATCH', `/api/transactions/${handed.id}`, { actor: handed.seller, body })
      for (const { id, buyer } of [shipped, handed]) {
        expect(await shownTo(id, buyer)).toMatchObject({ sellerAccepted: true, actions: ['confirm_delivery'] })
        expect((await escrow.act(id, buyer, 'confirm-delivery')).body.status).toBe('inspection')
        expect((await escrow.act(id, buyer, 'accept')).body.status).toBe('completed')
      }
      expect(await escrow.violations()).toEqual([])
    })

    it('is declined by the seller with a refund, or by cancelling it before the payment', async () => {
      const open = await escrow.openNaming()
      expect((await escrow.cancel(open.id, open.seller)).body.status).toBe('cancelled')
      const paid = await paidNaming()
      expect((await escrow.act(paid.id, paid.seller, 'refund')).body.status).toBe('cancelled')
    })

    it('lets the seller file a dispute, who acts by that', async () => {
      const deal = await paidNaming()
      expect((await escrow.dispute(deal.id, 'freeze', 9_002, deal.seller.id)).status).toBe(200)
    })
  })

  it('keeps the text of its terms in canonical JSON, and both parties accept the hash of that text', async () => {
    const { id } = await escrow.paid()
    const { text, proven, accepted } = await escrow.row<{ text: string; proven: boolean; accepted: boolean }>(
      `SELECT t.terms_text AS text, t.terms_hash = sha256(convert_to(t.terms_text, 'UTF8')) AS proven,
         (SELECT count(*) = 2 AND bool_and(a.terms_hash = t.terms_hash) FROM escrow.acceptance a
           WHERE a.transaction_id = t.id) AS accepted
       FROM escrow.transaction t WHERE t.id = $1`,
      [id],
    )
    const fields = Object.keys(JSON.parse(text))
    expect([proven, accepted, fields]).toEqual([true, true, fields.toSorted()])
    expect(fields).toContain('price')
  })

  it('shows its steps in the order of its versions, also when a replica whose clock is ahead wrote the first', async () => {
    const deal = await escrow.inInspection()
    const ahead = uuidv7From(Date.now() + 240_000, randomBytes(10))
    const sql = `UPDATE escrow.timeline SET id = $2 WHERE transaction_id = $1 AND kind = 'recordFunds' RETURNING 1`
    await escrow.row(sql, [deal.id, ahead])
    const timeline = await escrow.request<{ kind: string }[]>('GET', `/api/transactions/${deal.id}/timeline`, {
      actor: deal.buyer,
    })
    expect(timeline.body.map(({ kind }) => kind)).toEqual([
      'open',
      'recordFunds',
      'saveTracking',
      'confirmDelivery',
      'inspect',
    ])
  })

  describe('with a clock', () => {
    it('gets the clock’s command once, not before it is due, however often the timers fire', async () => {
      const deal = await escrow.inInspection()
      await escrow.fireTimers(deal.id)
      expect(await escrow.status(deal.id)).toBe('inspection')
      await escrow.elapse(deal.id, 3.01)
      await Promise.all([escrow.fireTimers(deal.id), escrow.fireTimers(deal.id)])
      await escrow.fireTimers(deal.id)
      expect(await escrow.status(deal.id)).toBe('completed')
      expect(await escrow.entries(deal.id)).toEqual(['charge', 'release'])
    })

    it('is cancelled when the payment window ends unpaid', async () => {
      const deal = await escrow.open()
      await escrow.elapse(deal.id, 1.01)
      await escrow.fireTimers(deal.id)
      expect(await escrow.status(deal.id)).toBe('cancelled')
    })

    it('becomes paid when the payment window ends and the provider has the money', async () => {
      const deal = await escrow.open()
      const intent = await escrow.beginPayment(deal)
      await escrow.confirmCard(intent)
      await escrow.elapse(deal.id, 1.01)
      await escrow.fireTimers(deal.id)
      expect(await escrow.status(deal.id)).toBe('paid')
      // The event about the same payment arrives later and changes nothing.
      expect(await escrow.webhook(succeeded(intent, deal.totalMinor))).toMatchObject({ status: 200 })
      expect(await escrow.entries(deal.id)).toEqual(['charge'])
    })

    it('is refunded when it is not shipped in time, and the confirmed refund is posted', async () => {
      const deal = await escrow.open()
      const intent = await escrow.beginPayment(deal)
      await escrow.confirmCard(intent)
      await escrow.webhook(succeeded(intent, deal.totalMinor))
      await escrow.elapse(deal.id, 7.01)
      await escrow.fireTimers(deal.id)
      expect(await escrow.status(deal.id)).toBe('cancelled')
      const confirmed = async () => (await escrow.entries(deal.id)).includes('refund_confirmed')
      expect(await eventually(confirmed, 15_000)).toBe(true)
      const seen = await escrow.request('GET', `/internal/transactions/${deal.id}`, { actor: deal.buyer })
      expect(seen.body).toMatchObject({ status: 'cancelled', money: { refunded: '107.00', held: '0.00' } })
    })

    it('is disputed when a shipped item does not arrive in time', async () => {
      const deal = await escrow.paid()
      await escrow.act(deal.id, deal.seller, 'tracking', { trackingNumber: `T${deal.id}`, carrier: 'UPS' })
      await escrow.elapse(deal.id, 30.01)
      await escrow.fireTimers(deal.id)
      expect(await escrow.status(deal.id)).toBe('disputed')
    })

    it('gets the clock’s command by the service’s own timers, even if only the row has the new deadline', async () => {
      const deal = await escrow.inInspection()
      await escrow.elapse(deal.id, 4)
      const completed = async () => (await escrow.status(deal.id)) === 'completed'
      expect(await eventually(completed, 15_000)).toBe(true)
    })
  })

  describe('in a dispute', () => {
    it('is frozen once, and resumes with the remaining time of its clock', async () => {
      const deal = await escrow.inInspection()
      const freeze = () =>
        escrow.request('POST', `/internal/transactions/${deal.id}/freeze`, {
          caller: 'dispute-svc',
          actor: { kind: 'service', name: 'dispute-svc' },
          body: { disputeId: 5, reporterId: deal.buyer.id },
        })
      expect(await freeze()).toMatchObject({ status: 200, body: { status: 'disputed', sellerId: deal.seller.id } })
      expect(await freeze()).toMatchObject({ status: 200 })
      expect(await escrow.act(deal.id, deal.buyer, 'accept')).toMatchObject({ status: 409 })
      await escrow.elapse(deal.id, 10)
      await escrow.fireTimers(deal.id)
      expect(await escrow.status(deal.id)).toBe('disputed')
      const resumed = await escrow.request('POST', `/internal/transactions/${deal.id}/resume`, {
        caller: 'dispute-svc',
        actor: { kind: 'service', name: 'dispute-svc' },
        body: { disputeId: 5 },
      })
      expect(resumed).toMatchObject({ status: 200, body: { status: 'inspection' } })
      expect(await escrow.act(deal.id, deal.buyer, 'accept')).toMatchObject({ status: 200 })
    })

    it('is not frozen by a call that arrives after its dispute has ended, and the next dispute freezes it', async () => {
      const { id, buyer } = await escrow.inInspection()
      expect(await escrow.dispute(id, 'freeze', 31, buyer.id)).toMatchObject({ status: 200 })
      expect(await escrow.dispute(id, 'resume', 31)).toMatchObject({ status: 200, body: { status: 'inspection' } })
      expect(await escrow.dispute(id, 'freeze', 31, buyer.id)).toMatchObject({
        status: 409,
        body: { code: 'DISPUTE_ENDED' },
      })
      expect(await escrow.status(id)).toBe('inspection')
      expect(await escrow.dispute(id, 'freeze', 32, buyer.id)).toMatchObject({ status: 200 })
      // A late repetition of the first withdrawal does not end the second dispute.
      expect(await escrow.dispute(id, 'resume', 31)).toMatchObject({ status: 200, body: { status: 'disputed' } })
      expect(await escrow.dispute(id, 'freeze', 31, buyer.id)).toMatchObject({ status: 409 })
      expect(await escrow.status(id)).toBe('disputed')
    })

    it('is not frozen by a call that arrives after the end of a dispute that never froze it', async () => {
      const { id, buyer } = await escrow.inInspection()
      expect(await escrow.dispute(id, 'resume', 33)).toMatchObject({ status: 200, body: { status: 'inspection' } })
      expect(await escrow.dispute(id, 'freeze', 33, buyer.id)).toMatchObject({ body: { code: 'DISPUTE_ENDED' } })
      expect(await escrow.violations()).toEqual([])
    })

    it('that is withdrawn twice has its clock extended once only', async () => {
      // The inspection is the buyer's time, so a dispute of the seller stops it.
      const { id, seller } = await escrow.inInspection()
      const withdrawn = async (disputeId: number) => {
        expect(await escrow.dispute(id, 'freeze', disputeId, seller.id)).toMatchObject({ status: 200 })
        expect(await escrow.dispute(id, 'resume', disputeId)).toMatchObject({ status: 200 })
      }
      await escrow.elapse(id, 2.9)
      await withdrawn(7)
      await escrow.elapse(id, 0.9)
      await escrow.fireTimers(id)
      expect(await escrow.status(id)).toBe('inspection')
      await withdrawn(8)
      await escrow.elapse(id, 0.2)
      await escrow.fireTimers(id)
      expect(await escrow.status(id)).toBe('completed')
    })

    it('is not settled when the dispute has ended otherwise, and a repeated settlement is answered as the first one', async () => {
      const [refunded, withdrawn, settled] = [
        await escrow.inInspection(),
        await escrow.inInspection(),
        await escrow.inInspection(),
      ]
      for (const { id, buyer } of [refunded, withdrawn, settled]) await escrow.dispute(id, 'freeze', 41, buyer.id)
      await escrow.forceRefund(refunded.id)
      await escrow.dispute(withdrawn.id, 'resume', 41)
      const settle = ({ id }: DealUnderTest) =>
        escrow.settleDispute(id, 41, { refundAmount: '30.00', cause: 'settlement' })
      for (const [deal, status] of [
        [refunded, 'cancelled'],
        [withdrawn, 'inspection'],
      ] as const) {
        expect(await settle(deal)).toMatchObject({ status: 409, body: { code: 'ESCROW_WRONG_STATE' } })
        expect(await escrow.status(deal.id)).toBe(status)
      }
      for (let times = 0; times < 2; times++)
        expect(await settle(settled)).toMatchObject({ status: 200, body: { status: 'completed' } })
      expect(await escrow.violations()).toEqual([])
    })

    it('is frozen by dispute-svc only', async () => {
      const deal = await escrow.inInspection()
      const body = { disputeId: 6, reporterId: deal.buyer.id }
      const path = `/internal/transactions/${deal.id}/freeze`
      expect((await escrow.request('POST', path, { actor: deal.buyer, body })).status).toBe(403)
    })
  })

  describe('is protected: a stranger, the other party and a visitor', () => {
    const commands: [string, 'buyer' | 'seller', unknown][] = [
      ['accept', 'buyer', undefined],
      ['confirm-delivery', 'buyer', undefined],
      ['tracking', 'seller', { trackingNumber: 'T1' }],
      ['refund', 'seller', undefined],
    ]
    it.each(commands)('cannot %s', async (command, role, body) => {
      const deal = await escrow.paid()
      const other = role === 'buyer' ? deal.seller : deal.buyer
      expect(await escrow.act(deal.id, userActor(), command, body)).toMatchObject({ status: 404 })
      expect(await escrow.act(deal.id, other, command, body)).toMatchObject({ status: 403 })
      expect(await escrow.act(deal.id, null, command, body)).toMatchObject({ status: 401 })
      expect(await escrow.status(deal.id)).toBe('paid')
    })

    it.each(['timeline', 'ledger', 'quote'])('cannot see its %s', async path => {
      const deal = await escrow.paid()
      const get = (actor: ReturnType<typeof userActor> | null) =>
        escrow.request('GET', `/api/transactions/${deal.id}/${path}`, { actor })
      expect(await get(userActor())).toMatchObject({ status: 404, body: { code: 'TRANSACTION_NOT_FOUND' } })
      expect(await get(null)).toMatchObject({ status: 401 })
    })

    it('cannot see the trial balance, which an admin sees', async () => {
      const asked = await escrow.request('GET', '/api/admin/ledger/trial-balance', { actor: userActor() })
      expect(asked.status).toBe(404)
      const admin = { ...userActor(), role: 'admin' as const }
      await escrow.paid()
      type Balance = { heldByDeals: string; total: string; accounts: { kind: string; balance: string }[] }
      const books = await escrow.request<Balance[]>('GET', '/api/admin/ledger/trial-balance', { actor: admin })
      const [usd] = books.body
      expect(Number(usd?.heldByDeals)).toBeGreaterThan(0)
      expect(usd?.accounts.find(({ kind }) => kind === 'hold')?.balance).toBe(usd?.heldByDeals)
      expect(usd?.total).toBe('0.00')
    })
  })

  it('keeps its history: the database refuses to change what was posted', async () => {
    await escrow.paid()
    const { dataSource } = escrow
    for (const sql of [
      'UPDATE escrow.posting SET amount_minor = 1',
      'DELETE FROM escrow.posting',
      'DELETE FROM escrow.journal_entry',
      'TRUNCATE escrow.posting',
      'DROP TABLE escrow.posting',
      'UPDATE escrow.timeline SET actor = NULL',
    ])
      await expect(dataSource.query(sql)).rejects.toThrow(/permission denied|must be owner/)
  })
})
