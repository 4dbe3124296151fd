import { userSuspensionChanged } from '@holdfast/contracts/events'
import type { Invoice } from '@holdfast/contracts/subscriptions'
import { newEvent } from '@holdfast/events/outbox/event'
import type { UserActor } from '@holdfast/service-kit/auth/actor'
import { isCaughtUp, publishAs } from '@holdfast/testing/event-log'
import { eventually } from '@holdfast/testing/eventually'
import { userActor } from '@holdfast/testing/signed-client'
import { PremiumUsers } from '../../test/premium-users.js'
import { RunningEscrow } from '../../test/running-escrow.js'
import { ProviderDaysService } from '../payments/provider-days.service.js'
import { SubscriptionFeesService } from './subscription-fees.service.js'
import { SubscriptionProgressService } from './subscription-progress.service.js'

const DAY_MS = 86_400_000

describe('Premium without its money', () => {
  let escrow: RunningEscrow
  let users: PremiumUsers
  beforeAll(async () => {
    escrow = await RunningEscrow.start()
    users = new PremiumUsers(escrow)
  })
  afterAll(async () => {
    const found = await escrow.violations()
    await escrow.stop()
    expect(found).toEqual([])
  })

  const planOfDeal = async (buyer: UserActor) => {
    const { id } = await escrow.open({}, buyer, userActor())
    const row = await escrow.row<{ plan: string }>('SELECT buyer_plan AS plan FROM escrow.transaction WHERE id = $1', [
      id,
    ])
    return { id, plan: row.plan }
  }
  const returned = async (user: UserActor) => {
    const { body } = await escrow.request<Invoice[]>('GET', '/api/subscription/invoices', { actor: user })
    return body.map(invoice => invoice.returned)
  }
  /** What of this user's money the ledger says went back, in minor units: all of it, since the tests run one after another. */
  const posted = async () => {
    const { minor } = await escrow.row<{ minor: string }>(
      `SELECT coalesce(sum(CASE p.debit WHEN 'revenue' THEN p.amount_minor ELSE -p.amount_minor END), 0) AS minor
         FROM escrow.journal_entry e JOIN escrow.posting p ON p.entry_id = e.id WHERE e.kind = 'subscription_returned'`,
    )
    return Number(minor)
  }
  const suspend = async (user: UserActor, isSuspended: boolean, at = new Date()) => {
    const change = { userId: user.id, isSuspended, at: at.toISOString() }
    await publishAs('identity-svc', escrow.database, newEvent(userSuspensionChanged, user.id, change, at))
    await eventually(() => isCaughtUp('escrow-svc', escrow.database))
  }

  it('ends with a refund of the whole invoice, and deals under way keep their fee', async () => {
    const user = await users.premium()
    const before = await planOfDeal(user)
    await users.refund(user)
    await users.sendEvents()
    expect((await planOfDeal(user)).plan).toBe('standard')
    await users.look(user)
    expect(await users.view(user)).toMatchObject({ plan: 'standard', status: 'ended', moneyBack: 'refund' })
    expect(await users.told(user)).toEqual(['premium: subscribed', 'standard: refunded'])
    expect(await returned(user)).toEqual(['30.00'])
    const kept = await escrow.row('SELECT buyer_plan FROM escrow.transaction WHERE id = $1', [before.id])
    expect(kept).toEqual({ buyer_plan: 'premium' })
    await expect(users.atProvider(user, 'renew')).rejects.toThrow('409')
    const again = await users.premium(user)
    expect(await users.view(again)).toMatchObject({ plan: 'premium', moneyBack: null })
  })

  it('stays when a part is refunded, and ends with the rest', async () => {
    const user = await users.premium()
    const before = await posted()
    await users.refund(user, 1_000)
    await users.sendEvents()
    expect(await users.view(user)).toMatchObject({ plan: 'premium', status: 'active', moneyBack: null })
    expect(await returned(user)).toEqual(['10.00'])
    await users.refund(user)
    await users.sendEvents({ again: true })
    await users.sendEvents({ again: true, reversed: true })
    expect(await users.view(user)).toMatchObject({ plan: 'standard', moneyBack: 'refund' })
    expect((await posted()) - before).toBe(3_000)
    expect(await users.told(user)).toEqual(['premium: subscribed', 'standard: refunded'])
  })

  it('ends with a chargeback, comes back when the bank decides for us, and is not charged again by itself', async () => {
    const user = await users.premium()
    const before = await posted()
    await users.dispute(user)
    await users.sendEvents()
    expect((await planOfDeal(user)).plan).toBe('standard')
    expect((await posted()) - before).toBe(3_000)
    const resumed = await users.change(user, 'resume')
    expect([resumed.status, resumed.body.code]).toEqual([409, 'CONFLICT'])
    await users.look(user)
    expect(await users.view(user)).toMatchObject({ plan: 'standard', status: 'active', cancelsAtPeriodEnd: true })
    await decide(user, 'won')
    await users.sendEvents()
    expect((await posted()) - before).toBe(0)
    expect((await planOfDeal(user)).plan).toBe('premium')
    expect(await users.view(user)).toMatchObject({ plan: 'premium', moneyBack: null, cancelsAtPeriodEnd: true })
    expect(await users.told(user)).toEqual(['premium: subscribed', 'standard: charged_back', 'premium: recovered'])
    expect((await users.change(user, 'resume')).body).toMatchObject({ plan: 'premium', cancelsAtPeriodEnd: false })
    await users.atProvider(user, 'renew')
    await users.sendEvents({ again: true, reversed: true })
    expect(await users.view(user)).toMatchObject({ plan: 'premium', status: 'active' })
  })

  it('ends for good when the chargeback is lost', async () => {
    const user = await users.premium()
    await users.dispute(user)
    await decide(user, 'lost')
    await users.sendEvents({ reversed: true })
    await users.look(user)
    expect(await users.view(user)).toMatchObject({ plan: 'standard', status: 'ended', moneyBack: 'chargeback' })
    expect(await users.told(user)).toEqual(['premium: subscribed', 'standard: charged_back'])
  })

  it('tells an operator when the bank decides for us after it was lost, also before the subscription has ended', async () => {
    const user = await users.premium()
    await users.dispute(user)
    await decide(user, 'lost')
    await users.sendEvents()
    const report = jest.spyOn(escrow.service.app.get(SubscriptionProgressService), 'reportUselessPayment')
    await escrow.dependencies.control(`/disputes/${(await disputeOf(user)).id}/decide-again`)
    await users.sendEvents()
    expect(await returned(user)).toEqual(['0.00'])
    const { id } = await users.row(user)
    expect(report).toHaveBeenCalledWith(id, expect.any(String))
    report.mockRestore()
    await users.look(user)
    expect(await users.row(user)).toMatchObject({ status: 'ended', plan: 'standard' })
  })

  it('is cancelled when the bank takes back an earlier period, and lasts as long as it is paid', async () => {
    const user = await users.premium()
    const first = await users.intentOf(user)
    await renew(user)
    await users.sendEvents()
    await escrow.dependencies.control(`/payments/${first}/dispute`)
    await users.sendEvents()
    await users.look(user)
    expect(await users.view(user)).toMatchObject({ plan: 'premium', status: 'active', cancelsAtPeriodEnd: true })
    expect(await users.told(user)).toEqual(['premium: subscribed', 'cancelled: chargeback'])
    // Its user agrees to be charged again. What is known of the old chargeback does not cancel it a second time.
    await users.change(user, 'resume')
    await users.sendEvents({ again: true })
    expect(await users.view(user)).toMatchObject({ plan: 'premium', cancelsAtPeriodEnd: false })
  })

  it('is found when the event of the refund comes before that of the payment, or never', async () => {
    const user = await users.premium()
    await renew(user)
    const { latest } = await latestIntent(user)
    await escrow.dependencies.control(`/payments/${latest}/refund`)
    await users.sendEvents({ reversed: true })
    expect(await users.view(user)).toMatchObject({ plan: 'standard', moneyBack: 'refund' })
    const silent = await users.premium()
    await users.refund(silent)
    const fees = escrow.service.app.get(SubscriptionFeesService)
    for (const { id } of await fees.due(0, 100)) await fees.record(id)
    expect((await planOfDeal(silent)).plan).toBe('standard')
  })

  it('leaves books that agree with the provider’s', async () => {
    await users.sendEvents()
    const fees = escrow.service.app.get(SubscriptionFeesService)
    for (const { id } of await fees.due(0, 100)) await fees.record(id)
    const [usd] = await escrow.service.app.get(ProviderDaysService).compare(today())
    expect(usd!.ledgerMinor).toBe(usd!.providerMinor)
    const { rows } = await escrow.database.admin.query('SELECT id FROM escrow.webhook_event WHERE is_unfitting')
    expect(rows).toEqual([])
  })

  describe('of a suspended user', () => {
    it('is charged no more, lasts for the period that is paid, and its user may resume it afterwards', async () => {
      const user = await users.premium()
      await suspend(user, true)
      await users.look(user)
      await users.look(user)
      expect(await users.view(user)).toMatchObject({ plan: 'premium', status: 'active', cancelsAtPeriodEnd: true })
      expect(await users.told(user)).toEqual(['premium: subscribed', 'cancelled: suspension'])
      const refused = await users.change(user, 'resume')
      expect([refused.status, refused.body.code]).toEqual([409, 'CONFLICT'])
      await suspend(user, false)
      expect((await users.change(user, 'resume')).body).toMatchObject({ plan: 'premium', cancelsAtPeriodEnd: false })
      await users.atProvider(user, 'renew')
      await users.sendEvents()
      expect(await users.view(user)).toMatchObject({ plan: 'premium', status: 'active' })
    })

    it('ends with its period', async () => {
      const user = await users.premium()
      await suspend(user, true)
      await users.look(user)
      await users.atProvider(user, 'renew')
      await users.sendEvents()
      expect(await users.told(user)).toEqual(['premium: subscribed', 'cancelled: suspension', 'standard: suspended'])
    })

    it('ends at once when its period is not paid, and one that is begun cannot be paid', async () => {
      const [declined, beginning] = [await users.premium(), userActor()]
      await users.decline(declined)
      await users.sendEvents()
      const { body } = await users.begin(beginning)
      for (const user of [declined, beginning]) {
        await suspend(user, true)
        await users.look(user)
        expect(await users.row(user)).toMatchObject({ status: 'ended', plan: 'standard' })
      }
      expect(await users.pay(body)).toMatchObject({ http: 400 })
      const refused = await users.begin(beginning)
      expect([refused.status, refused.body.code]).toEqual([403, 'FORBIDDEN'])
    })

    it('goes on when an older event of a suspension comes after its end', async () => {
      const user = await users.premium()
      await suspend(user, false, new Date())
      await suspend(user, true, new Date(Date.now() - 60_000))
      expect(await users.looksWithin(user, 30 * DAY_MS + 3 * 3_600_000)).toBe(true)
      await suspend(user, true)
      await suspend(user, false)
      await users.look(user)
      expect(await users.view(user)).toMatchObject({ plan: 'premium', cancelsAtPeriodEnd: false })
    })

    it('keeps a payment that came first: its period is the last', async () => {
      const user = userActor()
      const { body } = await users.begin(user)
      await users.pay(body)
      await suspend(user, true)
      await users.look(user)
      await users.sendEvents()
      await users.look(user)
      expect(await users.view(user)).toMatchObject({ plan: 'premium', status: 'active', cancelsAtPeriodEnd: true })
    })
  })

  it('cancelled after the period has begun and before its card is charged, nothing is charged', async () => {
    const user = await users.premium()
    await users.atProvider(user, 'renew', { draft: true })
    expect((await users.change(user, 'cancel')).body).toMatchObject({ plan: 'standard', status: 'ended' })
    await expect(users.atProvider(user, 'charge')).rejects.toThrow('409')
    expect(await returned(user)).toEqual(['0.00'])
  })

  /** The next period begins and is paid. The sandbox renews at once, so both periods would end at the same time. */
  const renew = async (user: UserActor) => {
    await escrow.row(
      `UPDATE escrow.subscription_invoice SET period_ends_at = period_ends_at - interval '30 days' WHERE intent_id = $1 RETURNING 1`,
      [await users.intentOf(user)],
    )
    await users.atProvider(user, 'renew')
  }
  const disputeOf = async (user: UserActor) => {
    const intent = await users.intentOf(user)
    const { disputes } = escrow.sandbox.context.state
    return disputes.newestFirst().find(({ intentId }) => intentId === intent)!
  }
  const decide = async (user: UserActor, outcome: 'won' | 'lost') =>
    escrow.dependencies.control(`/disputes/${(await disputeOf(user)).id}/close`, { outcome })
  const latestIntent = async (user: UserActor) => {
    const { provider_subscription_id: id } = await users.row(user)
    const invoice = escrow.sandbox.context.state.invoices.newestFirst().find(each => each.subscriptionId === id)
    return { latest: invoice!.intentId! }
  }
  const today = () => new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS)
})
