import type { Invoice } from '@holdfast/contracts/subscriptions'
import { userActor } from '@holdfast/testing/signed-client'
import { PremiumUsers } from '../../test/premium-users.js'
import { RunningEscrow } from '../../test/running-escrow.js'
import { ProviderDaysService } from '../payments/provider-days.service.js'
import { SubscriptionFeesService } from './subscription-fees.service.js'
import { SubscriptionProgressService } from './subscription-progress.service.js'
import { SubscriptionsService } from './subscriptions.service.js'

const DAY_MS = 86_400_000
const HOUR_MS = DAY_MS / 24

describe('Premium by subscription', () => {
  let escrow: RunningEscrow
  let users: PremiumUsers
  beforeAll(async () => {
    escrow = await RunningEscrow.start()
    users = new PremiumUsers(escrow)
  })
  afterAll(() => escrow.stop())

  const plansOfDeal = async (buyer = userActor(), seller = userActor()) => {
    const { id } = await escrow.open({}, buyer, seller)
    return escrow.row<{ buyer_plan: string; seller_plan: string; seller_fee_minor: string }>(
      'SELECT buyer_plan, seller_plan, seller_fee_minor FROM escrow.transaction WHERE id = $1',
      [id],
    )
  }

  it('begins when the first invoice is paid, and changes the fee of later deals alone', async () => {
    const user = userActor()
    const before = await escrow.open({}, userActor(), user)
    const { status, body } = await users.begin(user)
    expect([status, body.status, body.amount, body.interval]).toEqual([200, 'incomplete', '30.00', 'month'])
    expect(await users.view(user)).toMatchObject({ plan: 'standard', status: 'incomplete' })
    expect(await plansOfDeal(userActor(), user)).toMatchObject({ seller_plan: 'standard' })
    await users.pay(body)
    await users.sendEvents()
    expect(await users.view(user)).toMatchObject({
      ...{ plan: 'premium', status: 'active', amount: '30.00', cardLabel: 'Visa ending in 4242' },
      ...{ cancelsAtPeriodEnd: false, premiumUntil: null },
    })
    expect(await plansOfDeal(userActor(), user)).toEqual({
      ...{ buyer_plan: 'standard', seller_plan: 'premium', seller_fee_minor: '100' },
    })
    expect(await plansOfDeal(user)).toMatchObject({ buyer_plan: 'premium', seller_plan: 'standard' })
    const kept = await escrow.row('SELECT seller_plan FROM escrow.transaction WHERE id = $1', [before.id])
    expect(kept).toEqual({ seller_plan: 'standard' })
    expect(await users.told(user)).toEqual(['premium: subscribed'])
  })

  it('costs 240 a year, and replaces a monthly one that was begun and not paid', async () => {
    const user = userActor()
    const monthly = await users.begin(user)
    const yearly = await users.begin(user, 'year')
    expect([yearly.body.amount, yearly.body.interval]).toEqual(['240.00', 'year'])
    expect(await users.pay(monthly.body)).toMatchObject({ http: 400 })
    await users.pay(yearly.body)
    await users.sendEvents()
    expect(await users.view(user)).toMatchObject({ plan: 'premium', interval: 'year', amount: '240.00' })
  })

  it('is one subscription for a page that is loaded twice at once, and a second one is refused', async () => {
    const user = userActor()
    const [first, second] = await Promise.all([users.begin(user), users.begin(user)])
    expect(second.body).toEqual(first.body)
    expect((await users.begin(user)).body).toEqual(first.body)
    await users.pay(first.body)
    // The escrow has not heard of the payment. It asks, so that nothing is paid twice.
    const late = await users.begin(user)
    expect([late.status, late.body.code]).toEqual([409, 'SUBSCRIPTION_EXISTS'])
  })

  it('is recorded without an event: when its user opens the plan, and by the timer', async () => {
    const [looking, away] = [userActor(), userActor()]
    for (const user of [looking, away]) await users.pay((await users.begin(user)).body)
    await escrow.row(`UPDATE escrow.subscription SET asked_at = now() - interval '1 minute' RETURNING 1`)
    expect(await users.view(looking)).toMatchObject({ plan: 'premium' })
    await users.look(away)
    expect(await users.row(away)).toMatchObject({ status: 'active', plan: 'premium' })
  })

  it('is found when the answer of its creation was lost', async () => {
    const user = userActor()
    await escrow.dependencies.control('/faults', {
      ...{ kind: 'lose_answer', method: 'POST', path: '/v1/subscriptions', times: 3 },
    })
    const lost = await users.begin(user)
    expect([lost.status, lost.body.code]).toEqual([503, 'PAYMENT_PROVIDER_UNAVAILABLE'])
    await users.look(user)
    expect((await users.row(user)).status).toBe('incomplete')
    await users.pay((await users.begin(user)).body)
    await users.sendEvents()
    expect(await users.view(user)).toMatchObject({ plan: 'premium' })
    const { id } = await users.row(user)
    const { data } = await sandboxSubscriptions()
    expect(data.filter(({ metadata }) => metadata.subscription_id === id)).toHaveLength(1)
    expect(data.filter(({ metadata }) => metadata.subscription_id === undefined)).toEqual([])
  })

  const sandboxSubscriptions = async () => {
    const response = await fetch(`${escrow.dependencies.origin}/sandbox/subscriptions`)
    return { data: (await response.json()) as { metadata: { subscription_id?: string } }[] }
  }

  describe('whose card is declined', () => {
    it('lasts for seven days, then ends, and comes back when a card pays', async () => {
      const user = await users.premium()
      await users.decline(user)
      await users.sendEvents()
      const view = await users.view(user)
      expect(view).toMatchObject({ plan: 'premium', status: 'past_due' })
      expect(Date.parse(view.premiumUntil!) - Date.now()).toBeGreaterThan(6.9 * DAY_MS)
      await users.passDays(user, 6.9)
      await users.look(user)
      expect(await plansOfDeal(user)).toMatchObject({ buyer_plan: 'premium' })
      await users.passDays(user, 0.2)
      // A deal gets the plan of its moment, also before the timer has come.
      expect(await plansOfDeal(user)).toMatchObject({ buyer_plan: 'standard' })
      await users.look(user)
      expect(await users.view(user)).toMatchObject({ plan: 'standard', status: 'past_due' })
      const open = await users.begin(user)
      expect([open.body.status, open.body.amount]).toEqual(['past_due', '30.00'])
      await users.pay(open.body, 'pm_card_mastercard')
      await users.sendEvents()
      expect(await users.view(user)).toMatchObject({
        ...{ plan: 'premium', status: 'active', cardLabel: 'Mastercard ending in 4444', premiumUntil: null },
      })
      expect(await users.told(user)).toEqual([
        ...['premium: subscribed', 'payment failed', 'standard: unpaid', 'premium: recovered'],
      ])
    })

    it('is asked for each hour, and goes on when a payment is found on the last day', async () => {
      const user = await users.premium()
      await users.decline(user)
      await users.sendEvents()
      expect(await users.looksWithin(user, HOUR_MS)).toBe(true)
      await users.pay((await users.begin(user)).body)
      await users.passDays(user, 7.1)
      await users.look(user)
      expect(await users.view(user)).toMatchObject({ plan: 'premium', status: 'active' })
      expect(await users.told(user)).toEqual(['premium: subscribed', 'payment failed'])
    })

    it('ends in time although the provider cannot be reached', async () => {
      const user = await users.premium()
      await users.decline(user)
      await users.sendEvents()
      await users.passDays(user, 7.1)
      await escrow.dependencies.control('/faults', { kind: 'refuse', path: '/v1/subscriptions', times: 9 })
      await expect(users.look(user)).rejects.toMatchObject({ code: 'PAYMENT_PROVIDER_UNAVAILABLE' })
      await escrow.dependencies.control('/faults', {}, 'DELETE')
      expect((await users.told(user)).at(-1)).toBe('standard: unpaid')
    })

    it('ends at once when it is cancelled, and what is open is not collected', async () => {
      const user = await users.premium()
      await users.decline(user)
      await users.sendEvents()
      const { body: open } = await users.begin(user)
      expect((await users.change(user, 'cancel')).body).toMatchObject({ plan: 'standard', status: 'ended' })
      expect(await users.pay(open)).toMatchObject({ http: 400 })
      expect((await invoicesOf(user)).map(({ status }) => status).sort()).toEqual(['paid', 'void'])
      expect((await users.told(user)).at(-1)).toBe('standard: ended')
    })
  })

  const invoicesOf = async (user: ReturnType<typeof userActor>) =>
    (await escrow.request<Invoice[]>('GET', '/api/subscription/invoices', { actor: user })).body

  it('has the same outcome for events that come in another order, and twice', async () => {
    const user = userActor()
    const { body } = await users.begin(user)
    await users.pay(body)
    await users.atProvider(user, 'renew')
    await users.sendEvents({ reversed: true })
    const before = await users.booked()
    await users.sendEvents({ again: true })
    expect(await users.booked()).toEqual(before)
    expect((await invoicesOf(user)).map(({ status, amount }) => [status, amount])).toEqual([
      ['paid', '30.00'],
      ['paid', '30.00'],
    ])
    expect(await users.told(user)).toEqual(['premium: subscribed'])
  })

  it('that is cancelled lasts until its period ends, and can be taken up again before', async () => {
    const user = await users.premium()
    expect((await users.change(user, 'cancel')).body).toMatchObject({ plan: 'premium', cancelsAtPeriodEnd: true })
    expect((await users.change(user, 'cancel')).status).toBe(200)
    expect((await users.change(user, 'resume')).body).toMatchObject({ plan: 'premium', cancelsAtPeriodEnd: false })
    await users.change(user, 'cancel')
    await users.atProvider(user, 'renew')
    const late = await users.change(user, 'resume')
    expect([late.status, late.body.code]).toEqual([409, 'CONFLICT'])
    expect(await users.view(user)).toMatchObject({ plan: 'standard', status: 'ended' })
    const { body: again } = await users.begin(user)
    await users.pay(again)
    await users.sendEvents()
    expect(await users.told(user)).toEqual(['premium: subscribed', 'standard: ended', 'premium: subscribed'])
  })

  it('can end at once by an order inside of a dbTx, also while the provider does not answer', async () => {
    const user = await users.premium()
    await escrow.dataSource.transaction(manager =>
      escrow.service.app.get(SubscriptionsService).endAtOnce(manager, user.id),
    )
    await escrow.dependencies.control('/faults', { kind: 'refuse', method: 'DELETE', times: 3 })
    await expect(users.look(user)).rejects.toThrow()
    await users.look(user)
    expect(await users.row(user)).toMatchObject({ status: 'ended', plan: 'standard' })
    await expect(users.atProvider(user, 'renew')).rejects.toThrow('409')
  })

  it('lasts while the invoice of a renewal is a draft, and is asked for again when that is charged', async () => {
    const user = await users.premium()
    await users.atProvider(user, 'renew', { draft: true })
    await users.sendEvents()
    expect(await users.view(user)).toMatchObject({ plan: 'premium', status: 'active' })
    expect(await invoicesOf(user)).toHaveLength(1)
    expect(await users.looksWithin(user, HOUR_MS)).toBe(true)
    await users.atProvider(user, 'fail', { fails: true })
    await users.atProvider(user, 'charge')
    await users.look(user)
    expect(await users.view(user)).toMatchObject({ plan: 'premium', status: 'past_due' })
  })

  it('ends a week after its period when the provider gives no answer, and comes back with one', async () => {
    const user = await users.premium()
    await escrow.row(
      `UPDATE escrow.subscription SET period_ends_at = now() - interval '169 hours', asked_at = NULL WHERE user_id = $1 RETURNING 1`,
      [user.id],
    )
    expect(await plansOfDeal(user)).toMatchObject({ buyer_plan: 'standard' })
    await escrow.dependencies.control('/faults', { kind: 'refuse', path: '/v1/subscriptions', times: 9 })
    expect(await users.view(user)).toMatchObject({ plan: 'standard', status: 'active' })
    await expect(users.look(user)).rejects.toMatchObject({ code: 'PAYMENT_PROVIDER_UNAVAILABLE' })
    await escrow.dependencies.control('/faults', {}, 'DELETE')
    await users.look(user)
    expect(await users.told(user)).toEqual(['premium: subscribed', 'standard: unpaid', 'premium: recovered'])
    expect(await plansOfDeal(user)).toMatchObject({ buyer_plan: 'premium' })
  })

  it('ends by such an order soon, whatever else is recorded before', async () => {
    const user = await users.premium()
    await escrow.dataSource.transaction(manager =>
      escrow.service.app.get(SubscriptionsService).endAtOnce(manager, user.id),
    )
    const { id } = await escrow.row<{ id: string }>('SELECT id FROM escrow.subscription WHERE user_id = $1', [user.id])
    await escrow.service.app.get(SubscriptionProgressService).ask(id)
    const { isSoon } = await escrow.row<{ isSoon: boolean }>(
      `SELECT due_at < now() + interval '5 minutes' AS "isSoon" FROM escrow.subscription WHERE id = $1`,
      [id],
    )
    expect(isSoon).toBe(true)
    await users.look(user)
    expect(await users.row(user)).toMatchObject({ status: 'ended', plan: 'standard' })
  })

  it.each(['cancel', 'resume'] as const)('without a subscription there is nothing to %s', async step => {
    const { status, body } = await users.change(userActor(), step)
    expect([status, body.code]).toEqual([404, 'SUBSCRIPTION_NOT_FOUND'])
  })

  it('refuses another interval, naming the field, and a visitor', async () => {
    const wrong = await users.begin(userActor(), 'week' as 'month')
    expect(wrong).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } })
    expect(JSON.stringify(wrong.body)).toContain('interval')
    expect((await escrow.request('POST', '/api/create-subscription', { body: {} })).status).toBe(401)
  })

  it('is our revenue once for each invoice, so that our books agree with the provider’s', async () => {
    await users.sendEvents()
    const fees = escrow.service.app.get(SubscriptionFeesService)
    for (const { id } of await fees.due(0, 100)) {
      await fees.record(id)
      await fees.record(id)
    }
    const paid = await escrow.row<{ minor: string; n: string }>(
      `SELECT sum(amount_minor) AS minor, count(*) AS n FROM escrow.subscription_invoice WHERE status = 'paid'`,
    )
    expect(await users.booked()).toEqual({ paid: Number(paid.minor), entries: Number(paid.n) })
    const today = new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS)
    const [usd] = await escrow.service.app.get(ProviderDaysService).compare(today)
    expect(usd!.ledgerMinor).toBe(usd!.providerMinor)
    expect(usd!.ledgerMinor).toBeGreaterThan(0n)
    expect(await escrow.violations()).toEqual([])
  })
})
