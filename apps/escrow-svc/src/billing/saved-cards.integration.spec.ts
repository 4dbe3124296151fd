import type { SavedCard } from '@holdfast/contracts/payment-methods'
import type { Payment } from '@holdfast/contracts/payments'
import type { AtProvider } from '@holdfast/contracts/subscriptions'
import { newId } from '@holdfast/kernel/ids'
import type { UserActor } from '@holdfast/service-kit/auth/actor'
import { userActor } from '@holdfast/testing/signed-client'
import { succeeded } from '@holdfast/testing/stripe-events'
import type { z } from 'zod'
import { type DealUnderTest } from '../../test/deal-driver.js'
import { SECRETS } from '../../test/dependencies.js'
import { PremiumUsers } from '../../test/premium-users.js'
import { RunningEscrow } from '../../test/running-escrow.js'

describe('saved cards', () => {
  let escrow: RunningEscrow
  let premium: PremiumUsers
  beforeAll(async () => {
    escrow = await RunningEscrow.start()
    premium = new PremiumUsers(escrow)
  })
  afterAll(() => escrow.stop())

  const list = async (user: UserActor) =>
    (await escrow.request<SavedCard[]>('GET', '/api/payment-methods', { actor: user })).body
  const setUp = (user: UserActor) =>
    escrow.request<z.infer<typeof AtProvider>>('POST', '/api/payment-methods/setup', { actor: user })

  /** As the browser does, with the publishable key and the secret alone. */
  async function confirm(kind: 'setup_intents' | 'payment_intents', clientSecret: string, card: string) {
    const id = clientSecret.split('_secret_')[0]
    const form = { client_secret: clientSecret, payment_method: card, key: SECRETS.STRIPE_PUBLISHABLE_KEY }
    const body = new URLSearchParams({ ...form, return_url: 'http://localhost:3000/back' })
    const response = await fetch(`${escrow.dependencies.origin}/v1/${kind}/${id}/confirm`, { method: 'POST', body })
    return (await response.json()) as { status?: string; error?: { code: string } }
  }
  async function save(user: UserActor, card: string): Promise<SavedCard> {
    const before = await list(user)
    const { status } = await confirm('setup_intents', (await setUp(user)).body.clientSecret, card)
    expect(status).toBe('succeeded')
    return (await list(user)).find(({ id }) => !before.some(each => each.id === id))!
  }
  const beginPayment = async ({ id, buyer }: DealUnderTest) => {
    const { body } = await escrow.request<z.infer<typeof Payment>>('POST', `/internal/transactions/${id}/payments`, {
      actor: buyer,
      headers: { 'idempotency-key': newId() },
      body: { method: 'card' },
    })
    return body.clientSecret!
  }

  it('are an empty list at first, and then show only what is printed on the card', async () => {
    const user = userActor()
    expect(await list(user)).toEqual([])
    const saved = await save(user, 'pm_card_visa')
    expect(saved).toEqual({
      ...{ id: expect.stringMatching(/^pm_/), brand: 'Visa', last4: '4242', isDefault: true },
      ...{ expMonth: expect.any(Number), expYear: expect.any(Number) },
    })
  })

  it('are the default as the only one, unless Premium is to be paid and no card was chosen for that', async () => {
    const user = await premium.premium()
    const [paying] = await list(user)
    await save(user, 'pm_card_mastercard')
    await escrow.request('DELETE', `/api/payment-methods/${paying!.id}`, { actor: user })
    expect(await list(user)).toMatchObject([{ last4: '4444', isDefault: false }])
  })

  it('are not saved when the bank declines them', async () => {
    const user = userActor()
    const { clientSecret } = (await setUp(user)).body
    expect((await confirm('setup_intents', clientSecret, 'pm_card_chargeDeclined')).error?.code).toBe('card_declined')
    expect(await list(user)).toEqual([])
  })

  it('pay deals again and again, whether the payment was begun before or after the first card was saved', async () => {
    const user = userActor()
    const early = await escrow.open({}, user)
    await beginPayment(early)
    const { id: card } = await save(user, 'pm_card_visa')
    for (const deal of [early, await escrow.open({}, user)]) {
      const secret = await beginPayment(deal)
      expect((await confirm('payment_intents', secret, card)).status).toBe('succeeded')
      await escrow.webhook(succeeded(secret.split('_secret_')[0]!, deal.totalMinor))
      expect(await escrow.status(deal.id)).toBe('paid')
    }
    expect(await escrow.violations()).toEqual([])
  })

  it('pay what was begun before the first card was saved, also when the browser still has that answer', async () => {
    const deal = await escrow.open()
    const secret = await beginPayment(deal)
    const { id: card } = await save(deal.buyer, 'pm_card_visa')
    expect((await confirm('payment_intents', secret, card)).status).toBe('succeeded')
  })

  it('wait for a confirmation of the holder’s bank when it asks for one', async () => {
    const deal = await escrow.open()
    const { clientSecret } = (await setUp(deal.buyer)).body
    expect((await confirm('setup_intents', clientSecret, 'pm_card_authenticationRequired')).status).toBe(
      'requires_action',
    )
    expect(await list(deal.buyer)).toEqual([])
    const setup = escrow.sandbox.context.state.setups.get(clientSecret.split('_secret_')[0]!)!
    const bank = `${escrow.dependencies.origin}/challenge/${setup.id}/${setup.action!.token}`
    await fetch(bank, { method: 'POST', body: new URLSearchParams({ outcome: 'pass' }), redirect: 'manual' })
    const [card] = await list(deal.buyer)
    expect((await confirm('payment_intents', await beginPayment(deal), card!.id)).status).toBe('requires_action')
  })

  it('of another user can neither pay, nor be removed or made the default', async () => {
    const stranger = await escrow.open()
    await save(stranger.buyer, 'pm_card_mastercard')
    const { id: card } = await save(userActor(), 'pm_card_visa')
    expect((await confirm('payment_intents', await beginPayment(stranger), card)).error).toBeDefined()
    const remove = await escrow.request('DELETE', `/api/payment-methods/${card}`, { actor: stranger.buyer })
    const choose = await escrow.request('PUT', `/api/payment-methods/${card}/default`, { actor: stranger.buyer })
    expect([remove.status, choose.status]).toEqual([404, 404])
  })

  it('can be removed, and then pay nothing', async () => {
    const deal = await escrow.open()
    const { id: card } = await save(deal.buyer, 'pm_card_visa')
    const remove = () => escrow.request('DELETE', `/api/payment-methods/${card}`, { actor: deal.buyer })
    expect((await remove()).status).toBe(204)
    expect((await remove()).status).toBe(404)
    expect(await list(deal.buyer)).toEqual([])
    expect((await confirm('payment_intents', await beginPayment(deal), card)).error).toBeDefined()
  })

  it('that are the default come first and pay for Premium', async () => {
    const user = await premium.premium()
    const { id: card } = await save(user, 'pm_card_chargeCustomerFail')
    expect((await escrow.request('PUT', `/api/payment-methods/${card}/default`, { actor: user })).status).toBe(204)
    const [first] = await list(user)
    expect(first).toMatchObject({ id: card, isDefault: true, last4: '0341' })
    await premium.atProvider(user, 'renew')
    await premium.sendEvents()
    expect(await premium.view(user)).toMatchObject({ status: 'past_due', cardLabel: 'Visa ending in 0341' })
  })

  it('have as the default the one that pays for Premium, whichever was the default before', async () => {
    const user = userActor()
    const { id: other } = await save(user, 'pm_card_mastercard')
    expect((await escrow.request('PUT', `/api/payment-methods/${other}/default`, { actor: user })).status).toBe(204)
    await premium.premium(user)
    const defaults = async () => (await list(user)).map(({ last4, isDefault }) => [last4, isDefault])
    expect(await defaults()).toEqual([
      ['4242', true],
      ['4444', false],
    ])
    await premium.decline(user)
    await premium.sendEvents()
    await premium.pay((await premium.begin(user)).body, other)
    expect(await defaults()).toEqual([
      ['4444', true],
      ['4242', false],
    ])
  })

  it.each(['card_1', 'pm_', 'pm_a-b'])('are refused under %s, which is no id of the provider’s form', async id => {
    const { status } = await escrow.request('DELETE', `/api/payment-methods/${id}`, { actor: userActor() })
    expect(status).toBe(404)
  })
})
