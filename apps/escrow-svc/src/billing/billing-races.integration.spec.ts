import type { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import { userActor } from '@holdfast/testing/signed-client'
import type { Type } from '@nestjs/common'
import { PremiumUsers } from '../../test/premium-users.js'
import { RunningEscrow } from '../../test/running-escrow.js'
import { BillingLimits } from './billing-limits.js'
import { PremiumPrices } from './premium-prices.js'
import { SubscriptionFeesService } from './subscription-fees.service.js'
import { SubscriptionProgressService } from './subscription-progress.service.js'

type User = ReturnType<typeof userActor>

describe('Premium and the provider at the same moment', () => {
  let escrow: RunningEscrow
  let users: PremiumUsers
  beforeAll(async () => {
    escrow = await RunningEscrow.start()
    users = new PremiumUsers(escrow)
  })
  afterAll(() => escrow.stop())

  const invoices = async (user: User) =>
    (
      await escrow.database.admin.query(
        'SELECT id, status, amount_minor, intent_id, fee_due_at FROM escrow.subscription_invoice WHERE user_id = $1 ORDER BY created_at, id',
        [user.id],
      )
    ).rows
  /** The log of a service. */
  const logOf = (service: Type): ReturnType<typeof loggerOf> => Reflect.get(escrow.service.app.get(service), 'log')
  const statuses = async (user: User) => (await invoices(user)).map(({ status }) => status).sort()
  const pastDue = async () => {
    const user = await users.premium()
    await users.decline(user)
    await users.sendEvents()
    return user
  }

  describe('another interval', () => {
    it('is refused when the first subscription is paid at that moment, and only that one is charged, once', async () => {
      const user = userActor()
      const { body: monthly } = await users.begin(user)
      const yearly = await users.whileVoiding(
        () => users.begin(user, 'year'),
        () => users.pay(monthly),
      )
      expect([yearly.status, yearly.body.code]).toEqual([409, 'SUBSCRIPTION_EXISTS'])
      await users.sendEvents()
      expect(await users.view(user)).toMatchObject({ plan: 'premium', status: 'active', interval: 'month' })
      expect(await statuses(user)).toEqual(['paid'])
    })

    it('waits for a payment that is under way', async () => {
      const user = userActor()
      const { body: monthly } = await users.begin(user)
      await escrow.dependencies.control('/settings', { cards: 'by_hand' })
      try {
        await users.pay(monthly)
        const { body } = await users.begin(user, 'year')
        expect(body).toEqual(monthly)
        await escrow.dependencies.control(`/payments/${monthly.clientSecret.split('_secret_')[0]}/settle`)
      } finally {
        await escrow.dependencies.control('/settings', { cards: 'at_once' })
      }
      expect((await users.begin(user, 'year')).body.code).toBe('SUBSCRIPTION_EXISTS')
      expect(await statuses(user)).toEqual(['paid'])
    })

    it('begins although the service was killed between voiding the first invoice and ending its subscription', async () => {
      const user = userActor()
      await users.begin(user)
      // The retries of the provider's SDK fail, too.
      await escrow.dependencies.control('/faults', {
        ...{ kind: 'refuse', method: 'DELETE', path: '/v1/subscriptions', times: 3 },
      })
      expect((await users.begin(user, 'year')).status).toBe(503)
      const { body } = await users.begin(user)
      expect([body.interval, body.amount]).toEqual(['month', '30.00'])
      await users.pay(body)
      await users.sendEvents()
      expect(await users.view(user)).toMatchObject({ plan: 'premium' })
      expect(await statuses(user)).toEqual(['paid', 'void'])
    })
  })

  describe('cancelling', () => {
    it('ends at once what is not paid at the provider, although no event has said so', async () => {
      const user = await users.premium()
      await users.decline(user)
      expect((await users.change(user, 'cancel')).body).toMatchObject({ plan: 'standard', status: 'ended' })
      expect(await statuses(user)).toEqual(['paid', 'void'])
    })

    it('leaves the period that is paid at the provider, although no event has said so', async () => {
      const [late, first] = [await pastDue(), userActor()]
      await users.pay((await users.begin(late)).body)
      await users.pay((await users.begin(first)).body)
      for (const user of [late, first])
        expect((await users.change(user, 'cancel')).body).toMatchObject({
          ...{ plan: 'premium', status: 'active', cancelsAtPeriodEnd: true },
        })
    })

    it('leaves the period whose payment comes at that moment, and charges no further one', async () => {
      const user = await pastDue()
      const { body: open } = await users.begin(user)
      const cancelled = await users.whileVoiding(
        () => users.change(user, 'cancel'),
        () => users.pay(open),
      )
      expect(cancelled.body).toMatchObject({ plan: 'premium', status: 'active', cancelsAtPeriodEnd: true })
      expect(await statuses(user)).toEqual(['paid', 'paid'])
    })
  })

  it('an open invoice of a subscription that the provider has ended is soon voided', async () => {
    const user = await pastDue()
    const { body: open } = await users.begin(user)
    for (let retry = 0; retry < 3; retry++) await users.atProvider(user, 'retry')
    await users.sendEvents()
    expect([(await users.row(user)).status, await statuses(user)]).toEqual(['ended', ['open', 'paid']])
    await users.look(user)
    expect(await statuses(user)).toEqual(['paid', 'void'])
    expect(await users.pay(open)).toMatchObject({ http: 400 })
    expect((await users.row(user)).due_at).toBeNull()
  })

  it('a payment that comes before that is booked, gives no Premium, and is logged for an operator', async () => {
    const user = await pastDue()
    const { body: open } = await users.begin(user)
    for (let retry = 0; retry < 3; retry++) await users.atProvider(user, 'retry')
    await users.sendEvents()
    const errors = jest.spyOn(logOf(SubscriptionProgressService), 'error')
    const before = await users.booked()
    // The provider's clock counts in seconds.
    const { subscriptions } = escrow.sandbox.context.state
    const ended = subscriptions.get((await users.row(user)).provider_subscription_id)!
    subscriptions.put({ ...ended, endedAt: ended.endedAt! - 2_000 })
    await users.pay(open)
    await users.look(user)
    expect(await users.view(user)).toMatchObject({ plan: 'standard', status: 'ended' })
    expect((await users.booked()).paid - before.paid).toBe(3_000)
    expect(errors.mock.calls).toEqual([[expect.anything(), expect.stringContaining('refund it')]])
    expect((await users.row(user)).due_at).toBeNull()
  })

  it('a price whose amount was changed is replaced, and a failed creation is tried again with another key', async () => {
    const wanted = { interval: 'month', amountMinor: 3_000n, currency: 'USD' } as const
    const { prices } = escrow.sandbox.context.state
    for (const each of [...prices.oldestFirst()]) prices.put({ ...each, amount: 999 })
    escrow.service.app.get(PremiumPrices).forget(wanted)
    await escrow.dependencies.control('/faults', { kind: 'error', path: '/v1/prices', method: 'POST', times: 1 })
    const user = userActor()
    expect((await users.begin(user)).body.code).toBe('PAYMENT_PROVIDER_UNAVAILABLE')
    expect((await users.begin(user)).body.amount).toBe('30.00')
  })

  it('an invoice that an operator marks as paid gives Premium, and neither income nor a fee', async () => {
    const user = userActor()
    await users.begin(user)
    const before = await users.booked()
    const { subscriptions, invoices: atProvider } = escrow.sandbox.context.state
    const subscription = subscriptions.get((await users.row(user)).provider_subscription_id)!
    const invoice = atProvider.get(subscription.latestInvoiceId)!
    atProvider.put({ ...invoice, status: 'paid', paidAt: Date.now(), intentId: null })
    subscriptions.put({ ...subscription, status: 'active' })
    await users.look(user)
    expect(await users.view(user)).toMatchObject({ plan: 'premium' })
    expect(await users.booked()).toEqual(before)
    expect(await invoices(user)).toMatchObject([{ status: 'paid', intent_id: null, fee_due_at: null }])
  })

  it('the fee of an invoice without a payment, which an earlier release scheduled, is not asked for any more', async () => {
    const user = await users.premium()
    const { id, intent_id: paidBy } = (await invoices(user))[0]!
    const setIntent = 'UPDATE escrow.subscription_invoice SET intent_id = $2 WHERE id = $1 RETURNING 1'
    await escrow.row(setIntent, [id, null])
    await escrow.service.app.get(SubscriptionFeesService).record(id)
    expect(await invoices(user)).toMatchObject([{ fee_due_at: null }])
    await escrow.row(setIntent, [id, paidBy])
  })

  it('the calls to the provider that one user can cause are limited', async () => {
    const user = await users.premium()
    const limits = escrow.service.app.get(BillingLimits)
    await limits.changes.count(user.id, 40)
    await limits.cardLists.count(user.id, 200)
    expect((await users.change(user, 'cancel')).body.code).toBe('RATE_LIMITED')
    expect((await users.change(user, 'resume')).body.code).toBe('RATE_LIMITED')
    const calls = [
      ['GET', ''],
      ['DELETE', '/pm_1'],
      ['PUT', '/pm_1/default'],
    ] as const
    for (const [method, rest] of calls)
      expect((await escrow.request(method, `/api/payment-methods${rest}`, { actor: user })).status).toBe(429)
    // One question answers all who look at the same time.
    const waiting = userActor()
    await users.begin(waiting)
    await escrow.row('UPDATE escrow.subscription SET asked_at = NULL WHERE user_id = $1 RETURNING 1', [waiting.id])
    const asks = async () =>
      (await escrow.row<{ asks: number }>('SELECT asks FROM escrow.subscription WHERE user_id = $1', [waiting.id])).asks
    const before = await asks()
    await Promise.all([1, 2, 3, 4].map(() => users.view(waiting)))
    expect(await asks()).toBe(before + 1)
  })

  it('the books agree with what was paid', async () => {
    await users.sendEvents()
    expect(await escrow.violations()).toEqual([])
  })
})
