import { setTimeout as sleep } from 'node:timers/promises'
import {
  type accountChecked,
  type EventDefinition,
  type PayloadOf,
  userClosed,
  userClosing,
  userClosingRefused,
  userUpdated,
} from '@holdfast/contracts/events'
import { newEvent } from '@holdfast/events/outbox/event'
import { newId } from '@holdfast/kernel/ids'
import type { UserActor } from '@holdfast/service-kit/auth/actor'
import { isCaughtUp, publishAs } from '@holdfast/testing/event-log'
import { eventually } from '@holdfast/testing/eventually'
import { userActor } from '@holdfast/testing/signed-client'
import { PremiumUsers } from '../../test/premium-users.js'
import { RunningEscrow } from '../../test/running-escrow.js'
import { SellerPayouts } from '../../test/seller-payouts.js'
import { CryptoPaymentsService } from '../payments/crypto/crypto-payments.service.js'
import { StripeProvider } from '../payments/stripe.provider.js'
import { AccountClosingService } from './closing.service.js'

let escrow: RunningEscrow
beforeAll(async () => {
  escrow = await RunningEscrow.start()
})
afterAll(() => escrow.stop())

type Checked = PayloadOf<typeof accountChecked>

async function tell(definition: EventDefinition, { id: userId }: UserActor, closingId: string): Promise<void> {
  const at = new Date()
  const event = newEvent(definition, userId, { userId, closingId, at: at.toISOString() }, at)
  await publishAs('identity-svc', escrow.database, event)
}

async function answersTo({ id }: UserActor): Promise<Checked[]> {
  const { rows } = await escrow.database.admin.query(
    `SELECT payload FROM events.log WHERE key = $1 AND type = 'escrow.account.checked.v1' ORDER BY position`,
    [id],
  )
  return rows.map(({ payload }) => payload)
}

/** Begins to close the account, and resolves with the obstacles that escrow-svc answers. */
async function close(user: UserActor, closingId = newId()): Promise<readonly string[]> {
  await tell(userClosing, user, closingId)
  const answer = await eventually(async () => (await answersTo(user)).find(each => each.closingId === closingId))
  return answer.obstacles
}

const rowOf = async ({ id }: UserActor) =>
  (await escrow.database.admin.query('SELECT * FROM escrow.closed_user WHERE user_id = $1', [id])).rows[0]

const obstacles = async (actor: UserActor) => {
  const path = '/internal/account/obstacles'
  return (await escrow.request<{ obstacles: { kind: string; transactionId: number | null }[] }>('GET', path, { actor }))
    .body.obstacles
}

const tryToOpen = async (buyer: UserActor, seller: UserActor) => {
  const body = { terms: escrow.terms(seller), buyerId: buyer.id, purchase: null }
  return escrow.request<{ code?: string; id?: number }>('POST', '/internal/transactions', { actor: buyer, body })
}

describe('what stands in the way of closing an account', () => {
  test('is nothing for a new user', async () => {
    expect(await obstacles(userActor())).toEqual([])
  })

  test('is each open deal of either party, by its number', async () => {
    const { id, buyer, seller } = await escrow.paid()
    for (const party of [buyer, seller])
      expect(await obstacles(party)).toEqual([{ kind: 'open_deal', transactionId: id, disputeId: null }])
  })

  test('is the balance of a seller, and nothing for the buyer of a finished deal', async () => {
    const { id, buyer, seller } = await escrow.inInspection()
    await escrow.act(id, buyer, 'accept')
    expect(await obstacles(buyer)).toEqual([])
    expect(await obstacles(seller)).toEqual([{ kind: 'balance', transactionId: null, disputeId: null }])
  })

  test('is a payout until the bank has it, and again while the bank sends it back', async () => {
    const payouts = new SellerPayouts(escrow)
    const seller = await payouts.seller()
    await payouts.sell(seller)
    const kinds = async () => (await obstacles(seller)).map(({ kind }) => kind)
    const { id } = (await payouts.request(seller)).body
    await payouts.reach(id, 'in_transit')
    expect(await kinds()).toEqual(['payout_under_way'])
    await payouts.atBank(id, 'settle')
    await payouts.reach(id, 'paid')
    expect(await kinds()).toEqual([])
    await escrow.dependencies.control('/faults', { kind: 'error', method: 'POST', path: '/v1/transfers', times: 100 })
    await payouts.atBank(id, 'fail', 'account_closed')
    await payouts.send(id)
    expect(await kinds()).toEqual(['payout_under_way'])
    await escrow.dependencies.control('/faults', {}, 'DELETE')
    await payouts.reach(id, 'returned')
    expect(await kinds()).toEqual(['balance'])
  })

  test('is a refund that has not arrived, for both parties', async () => {
    const { id, buyer, seller } = await escrow.paid()
    await escrow.act(id, seller, 'refund')
    const { rows } = await escrow.database.admin.query('SELECT status FROM escrow.refund WHERE transaction_id = $1', [
      id,
    ])
    expect(rows).toHaveLength(1)
    for (const party of [buyer, seller])
      expect((await obstacles(party)).map(({ kind }) => kind)).toEqual(['refund_due'])
  })
})

test('cryptocurrency that was seen for a cancelled deal stands in the way of its buyer, until it is back', async () => {
  const { id, buyer, seller } = await escrow.open()
  const begin = {
    method: 'crypto',
    cryptoAsset: 'bitcoin',
    walletAddress: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
  }
  const { body } = await escrow.request<{ depositAddress: string; paymentId: string }>(
    'POST',
    `/internal/transactions/${id}/payments`,
    { actor: buyer, body: begin, headers: { 'idempotency-key': newId() } },
  )
  expect(await escrow.cancel(id, seller)).toMatchObject({ status: 200 })
  expect(await obstacles(buyer)).toEqual([])
  const move = (step: string) => escrow.dependencies.control(`/crypto/${body.depositAddress}/${step}`, {})
  const ask = () => escrow.service.app.get(CryptoPaymentsService).askDue(body.paymentId)
  await move('send')
  await ask()
  expect(await obstacles(buyer)).toEqual([{ kind: 'refund_due', transactionId: id, disputeId: null }])
  expect(await obstacles(seller)).toEqual([])
  await move('reorganise')
  await ask()
  expect(await obstacles(buyer)).toEqual([])
})

describe('a user who closes their account', () => {
  test('can open no deal from then on, and nobody can with them', async () => {
    const [ana, ben] = [userActor(), userActor()]
    expect(await close(ana)).toEqual([])
    expect(await tryToOpen(ana, ben)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
    expect(await tryToOpen(ben, ana)).toMatchObject({ status: 403, body: { code: 'COUNTERPARTY_UNAVAILABLE' } })
  })

  test('can go on after the closing was refused', async () => {
    const { buyer } = await escrow.open()
    const closingId = newId()
    expect(await close(buyer, closingId)).toEqual(['open_deal'])
    await tell(userClosingRefused, buyer, closingId)
    await eventually(async () => (await rowOf(buyer)) === undefined)
    expect((await tryToOpen(buyer, userActor())).status).toBe(201)
  })

  test('is not stopped again by an event of a closing that was refused: it was replayed, or overtaken by the refusal', async () => {
    const closing = escrow.service.app.get(AccountClosingService)
    const at = new Date().toISOString()
    for (const order of [
      ['check', 'forget', 'check'],
      ['forget', 'check'],
    ] as const) {
      const [ana, closingId] = [userActor(), newId()]
      for (const step of order)
        await escrow.dataSource.transaction(dbTx => closing[step]({ userId: ana.id, closingId, at }, dbTx))
      expect(await rowOf(ana)).toBeUndefined()
      expect((await tryToOpen(ana, userActor())).status).toBe(201)
      // A later attempt is another one.
      expect(await close(ana)).toEqual(['open_deal'])
    }
  })

  test('stays closed when an old refusal arrives late', async () => {
    const ana = userActor()
    const [first, second] = [newId(), newId()]
    await close(ana, first)
    await close(ana, second)
    await tell(userClosingRefused, ana, first)
    await eventually(() => isCaughtUp('escrow-svc', escrow.database))
    expect(await rowOf(ana)).toMatchObject({ closing_id: second, closed_at: null })
    expect((await tryToOpen(ana, userActor())).status).toBe(403)
    await tell(userClosed, ana, second)
    await eventually(async () => (await rowOf(ana)).closed_at !== null)
    expect((await tryToOpen(userActor(), ana)).status).toBe(403)
  })

  test('pays for no Premium any more: its subscription ends at the provider', async () => {
    const users = new PremiumUsers(escrow)
    const ana = await users.premium()
    const closingId = newId()
    await close(ana, closingId)
    await tell(userClosed, ana, closingId)
    await eventually(async () => (await users.row(ana)).status === 'ended', 30_000)
    await expect(users.atProvider(ana, 'renew')).rejects.toThrow('409')
  })

  test('is forgotten by the provider with the saved cards, after Premium has ended', async () => {
    const users = new PremiumUsers(escrow)
    const ana = await users.premium()
    const customer = async () =>
      escrow.row<{ provider_customer_id: string; deleted_at: Date | null }>(
        'SELECT provider_customer_id, deleted_at FROM escrow.customer WHERE user_id = $1',
        [ana.id],
      )
    const { state } = escrow.sandbox.context
    const { provider_customer_id: customerId } = await customer()
    const cards = () => [...state.methods.oldestFirst()].filter(each => each.customerId === customerId)
    expect(cards()).toHaveLength(1)
    const closingId = newId()
    await close(ana, closingId)
    await tell(userClosed, ana, closingId)
    await eventually(async () => (await customer()).deleted_at !== null, 30_000)
    expect([state.customers.get(customerId)?.deleted, cards()]).toEqual([true, []])
    expect((await users.row(ana)).status).toBe('ended')
    // The process was killed before it kept that the provider has done so.
    await escrow.database.admin.query(
      'UPDATE escrow.customer SET deleted_at = NULL, deletion_due_at = now() WHERE user_id = $1',
      [ana.id],
    )
    await eventually(async () => (await customer()).deleted_at !== null, 30_000)
  })

  test('has no address at the provider any more, also not with a payer of a failed attempt to pay by bank', async () => {
    const { id, buyer } = await escrow.open()
    const { body } = await escrow.pay(id, buyer, newId(), { method: 'bank', payerEmail: 'ana@example.com' })
    const again = { id: body.paymentId, transactionId: id, attempt: 2, amountMinor: 100n } as const
    const provider = escrow.service.app.get(StripeProvider)
    await provider.createIntent({ ...again, currency: 'USD', method: 'bank', payerEmail: 'ana@example.com' })
    const addresses = () =>
      escrow.sandbox.context.state.customers
        .newestFirst()
        .filter(({ metadata }) => metadata.payment_id === body.paymentId)
        .map(({ email }) => email)
    expect(addresses()).toEqual(['ana@example.com', 'ana@example.com'])
    await escrow.cancel(id, buyer)
    const closingId = newId()
    expect(await close(buyer, closingId)).toEqual([])
    await tell(userClosed, buyer, closingId)
    const dueInMinutes = async () =>
      (
        await escrow.row<{ minutes: number | null }>(
          'SELECT (extract(epoch FROM address_erasure_due_at - now()) / 60)::float AS minutes FROM escrow.payment WHERE id = $1',
          [body.paymentId],
        )
      ).minutes
    // The provider's search may miss for a while what was just made.
    await eventually(async () => ((await dueInMinutes()) ?? 0) > 55)
    await escrow.database.admin.query('UPDATE escrow.payment SET address_erasure_due_at = now() WHERE id = $1', [
      body.paymentId,
    ])
    await eventually(async () => addresses().every(address => address === null), 30_000)
    await eventually(async () => (await dueInMinutes()) === null)
  })

  test('can neither begin Premium nor save a card any more', async () => {
    const users = new PremiumUsers(escrow)
    const [ana, ben] = [userActor(), userActor()]
    const setUp = (user: UserActor) =>
      escrow.request<{ code?: string }>('POST', '/api/payment-methods/setup', { actor: user })
    await setUp(ben)
    for (const user of [ana, ben]) {
      await close(user)
      for (const { status, body } of [await users.begin(user), await setUp(user)])
        expect([status, body.code]).toEqual([403, 'FORBIDDEN'])
    }
    const { rows } = await escrow.database.admin.query('SELECT 1 FROM escrow.subscription WHERE user_id = ANY($1)', [
      [ana.id, ben.id],
    ])
    expect(rows).toEqual([])
  })

  test('has no Premium that begins at the same moment', async () => {
    const users = new PremiumUsers(escrow)
    const closing = escrow.service.app.get(AccountClosingService)
    const begun: number[] = []
    const last = 9
    for (let round = 0; round <= last; round++) {
      const ana = userActor()
      const told = { userId: ana.id, closingId: newId(), at: new Date().toISOString() }
      const end = () => escrow.dataSource.transaction(dbTx => closing.close(told, dbTx))
      // On a machine of any speed the closing comes first in the first round, and Premium in the last one.
      if (round === 0) await end()
      const beginning = users.begin(ana)
      if (round > 0) await (round === last ? beginning : sleep(round * 4)).then(end)
      await beginning
      const { rows } = await escrow.database.admin.query(
        `SELECT status, ends_at_once FROM escrow.subscription WHERE user_id = $1`,
        [ana.id],
      )
      begun.push(rows.length)
      for (const row of rows) expect(row.ends_at_once || row.status === 'ended').toBe(true)
      const { rows: customers } = await escrow.database.admin.query(
        'SELECT deletion_due_at, deleted_at FROM escrow.customer WHERE user_id = $1',
        [ana.id],
      )
      for (const row of customers) expect(row.deletion_due_at ?? row.deleted_at).not.toBeNull()
    }
    expect([Math.min(...begun), Math.max(...begun)]).toEqual([0, 1])
  })

  test('either has the deal that is opened at the same moment, or cannot be closed: never both', async () => {
    const opened: number[] = []
    const closing = escrow.service.app.get(AccountClosingService)
    const last = 19
    for (let round = 0; round <= last; round++) {
      const [ana, ben, closingId] = [userActor(), userActor(), newId()]
      const told = { userId: ana.id, closingId, at: new Date().toISOString() }
      const check = () => escrow.dataSource.transaction(dbTx => closing.check(told, dbTx))
      // On a machine of any speed the closing comes first in the first round, and an opening in the last one.
      if (round === 0) await check()
      const openings = [0, 4, 8, 12, 16].map(ms => sleep(ms).then(() => tryToOpen(ben, ana)))
      if (round > 0) await (round === last ? openings[0]! : sleep(round)).then(check)
      const answers = await Promise.all(openings)
      const answer = await eventually(async () => (await answersTo(ana)).find(each => each.closingId === closingId))
      const count = answers.filter(({ status }) => status === 201).length
      opened.push(count)
      expect(answer.obstacles).toEqual(count > 0 ? ['open_deal'] : [])
      expect((await tryToOpen(ben, ana)).status).toBe(403)
    }
    // The closing came first in some rounds, and an opening in others.
    expect(Math.min(...opened)).toBeLessThan(5)
    expect(Math.max(...opened)).toBeGreaterThan(0)
  })

  test('loses the name of their bank, and the books keep their numbers', async () => {
    const ana = userActor()
    await escrow.database.admin.query(
      `INSERT INTO escrow.payout_account (user_id, provider_account_id, status, bank_label, created_at, updated_at)
       VALUES ($1, $2, 'ready', 'Test Bank ending in 4242', now(), now())`,
      [ana.id, `acct_${ana.id}`],
    )
    const closingId = newId()
    await close(ana, closingId)
    await tell(userClosed, ana, closingId)
    await eventually(async () => (await rowOf(ana))?.closed_at !== null)
    const { rows } = await escrow.database.admin.query('SELECT * FROM escrow.payout_account WHERE user_id = $1', [
      ana.id,
    ])
    expect(rows).toMatchObject([{ bank_label: null, next_payout_at: null, provider_account_id: `acct_${ana.id}` }])
  })

  test('gets neither the name of the bank nor payouts back by what comes after the closing', async () => {
    const payouts = new SellerPayouts(escrow)
    const ana = await payouts.seller()
    expect((await payouts.account(ana)).body.bankLabel).toBe('Test Bank ending in 6789')
    const closingId = newId()
    expect(await close(ana, closingId)).toEqual([])
    await tell(userClosed, ana, closingId)
    await eventually(async () => (await rowOf(ana))?.closed_at)

    // The provider's messages of an account come late, or again, and so do the events of a user.
    const { provider_account_id: account } = await escrow.row<{ provider_account_id: string }>(
      'SELECT provider_account_id FROM escrow.payout_account WHERE user_id = $1',
      [ana.id],
    )
    const about = { type: 'account.updated', livemode: false, account, data: { object: { id: account } } }
    const updated = { id: `evt_${newId()}`, object: 'event', ...about }
    expect((await escrow.webhook(updated)).status).toBe(200)
    const user = {
      ...{ id: ana.id, firstName: 'Ana', lastName: 'Ruiz', username: 'ana', rating: null, profileImageUrl: null },
      ...{ isVerified: true, emailConfirmed: true, takenOverAt: null },
    }
    await publishAs('identity-svc', escrow.database, newEvent(userUpdated, ana.id, { user }, new Date()))
    await eventually(() => isCaughtUp('escrow-svc', escrow.database))
    const { rows } = await escrow.database.admin.query('SELECT * FROM escrow.payout_account WHERE user_id = $1', [
      ana.id,
    ])
    expect(rows).toMatchObject([{ bank_label: null, next_payout_at: null }])
  })
})

test('the subscription of a closed account ends at once', async () => {
  const ana = userActor()
  await escrow.database.admin.query('INSERT INTO escrow.customer (user_id, created_at) VALUES ($1, now())', [ana.id])
  await escrow.database.admin.query(
    `INSERT INTO escrow.subscription (id, user_id, interval, amount_minor, currency, status, provider_subscription_id, card_label,
       created_at, updated_at) VALUES ($1, $2, 'month', 2900, 'USD', 'active', $3, 'Visa ending in 4242', now(), now())`,
    [newId(), ana.id, `sub_${ana.id}`],
  )
  const closingId = newId()
  await close(ana, closingId)
  await tell(userClosed, ana, closingId)
  const subscription = async () =>
    (await escrow.database.admin.query('SELECT * FROM escrow.subscription WHERE user_id = $1', [ana.id])).rows[0]
  await eventually(async () => (await subscription()).ends_at_once)
  expect((await subscription()).card_label).toBeNull()
})

describe('what escrow-svc exports', () => {
  const PARTS = [
    'deals',
    'acceptances',
    'payments',
    'payoutAccount',
    'payouts',
    'balanceEntries',
    'subscriptions',
    'invoices',
    'reviewsWritten',
    'reviewsReceived',
  ] as const
  type Page = { items: Record<string, unknown>[]; next: string | null }

  async function readAll(part: string, actor: UserActor): Promise<Record<string, unknown>[]> {
    const items: Record<string, unknown>[] = []
    let after: string | null = ''
    while (after !== null) {
      const query: string = after === '' ? `part=${part}` : `part=${part}&after=${encodeURIComponent(after)}`
      const { status, body }: { status: number; body: Page } = await escrow.request<Page>(
        'GET',
        `/internal/personal-data?${query}`,
        { actor },
      )
      expect(status).toBe(200)
      items.push(...body.items)
      after = body.next
    }
    return items
  }

  test('is a person’s own part of a deal, and nothing of the platform’s', async () => {
    const { id, buyer, seller } = await escrow.inInspection()
    await escrow.act(id, buyer, 'accept')
    await escrow.request('POST', `/api/transactions/${id}/review`, { actor: buyer, body: { rating: 4, text: 'Good' } })
    const [deal] = await readAll('deals', buyer)
    expect(deal).toMatchObject({ id, role: 'buyer', status: 'completed', priceMinor: 10_000, title: 'Camera' })
    expect(JSON.stringify(deal?.timeline)).not.toContain(seller.id)
    expect(JSON.stringify(deal?.timeline)).toContain('other party')
    expect(await readAll('payments', buyer)).toHaveLength(1)
    expect(await readAll('payments', seller)).toEqual([])
    expect(await readAll('reviewsWritten', buyer)).toMatchObject([{ content: 'Good', rating: 4 }])
    expect(await readAll('reviewsReceived', seller)).toMatchObject([{ content: 'Good' }])
    const [entry] = await readAll('balanceEntries', seller)
    expect(entry).toMatchObject({ transactionId: id, kind: 'release' })
    for (const part of PARTS) expect(await readAll(part, userActor())).toEqual([])
  })

  test('comes in pages, each item once', async () => {
    const [buyer, seller] = [userActor(), userActor()]
    await escrow.open({}, buyer, seller)
    // Copies of the deal, under listings of their own.
    await escrow.database.admin.query(
      `INSERT INTO escrow.transaction SELECT (jsonb_populate_record(t, jsonb_build_object('id', 500000 + n, 'listing_id', 500000 + n,
         'status', 'cancelled', 'clock', null, 'due_at', null))).*
       FROM escrow.transaction t, generate_series(1, 450) n WHERE t.buyer_id = $1`,
      [buyer.id],
    )
    for (const actor of [buyer, seller]) {
      const deals = await readAll('deals', actor)
      expect(new Set(deals.map(({ id }) => id)).size).toBe(451)
      expect(deals).toHaveLength(451)
    }
  })
})
