import type Stripe from 'stripe'
import { type Running, refusal, startSandbox, until } from '../../test/fixture.js'

const DAY_MS = 86_400_000
const HOUR_MS = DAY_MS / 24

let running: Running
let stripe: Stripe
let now: number
beforeEach(async () => {
  now = Date.now()
  running = await startSandbox({ now: () => now })
  stripe = running.stripe
})
afterEach(() => running.close())

async function subscribe() {
  const customer = await stripe.customers.create({ metadata: { user_id: 'u' } })
  await stripe.products.create({ id: 'premium', name: 'Premium' })
  const price = await stripe.prices.create({
    product: 'premium',
    unit_amount: 3_000,
    currency: 'usd',
    lookup_key: 'premium_month',
    recurring: { interval: 'month' },
  })
  const subscription = await stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: price.id }],
    payment_behavior: 'default_incomplete',
    payment_settings: { save_default_payment_method: 'on_subscription' },
    expand: ['latest_invoice.confirmation_secret'],
    metadata: { subscription_id: 's' },
  })
  const invoice = subscription.latest_invoice as Stripe.Invoice
  return { customer, subscription, invoice, secret: invoice.confirmation_secret!.client_secret }
}

const intentOf = (secret: string) => secret.split('_secret_')[0]!

async function pay(secret: string, card = 'pm_card_visa') {
  return stripe.paymentIntents.confirm(intentOf(secret), { payment_method: card })
}

async function paid(card?: string) {
  const made = await subscribe()
  await pay(made.secret, card)
  return made
}

const statusOf = async (id: string) => (await stripe.subscriptions.retrieve(id)).status

describe('a subscription', () => {
  it('is active when its first invoice is paid, and its card is saved with the customer', async () => {
    const { customer, subscription, invoice, secret } = await subscribe()
    expect([subscription.status, invoice.status, invoice.amount_due]).toEqual(['incomplete', 'open', 3_000])
    const declined = await refusal(pay(secret, 'pm_card_chargeDeclined'))
    expect(declined).toMatchObject({ code: 'card_declined' })
    expect(await statusOf(subscription.id)).toBe('incomplete')
    await pay(secret)
    const after = await stripe.subscriptions.retrieve(subscription.id)
    expect(after).toMatchObject({ status: 'active', cancel_at_period_end: false })
    const saved = await stripe.paymentMethods.list({ customer: customer.id, type: 'card' })
    expect(saved.data.map(({ id, card }) => [id, card?.last4])).toEqual([[after.default_payment_method, '4242']])
    const bill = await stripe.invoices.retrieve(invoice.id!, { expand: ['payments'] })
    expect(bill).toMatchObject({ status: 'paid', amount_paid: 3_000, attempt_count: 2 })
    expect(bill.payments?.data[0]?.payment.payment_intent).toBe(intentOf(secret))
    await until(() => running.receiver.types().includes('customer.subscription.updated'))
    expect(running.receiver.types()).toEqual(expect.arrayContaining(['invoice.payment_failed', 'invoice.paid']))
  })

  it('that is not paid within a day never begins', async () => {
    const { subscription, invoice } = await subscribe()
    now += DAY_MS
    await until(async () => (await statusOf(subscription.id)) === 'incomplete_expired')
    expect((await stripe.invoices.retrieve(invoice.id!)).status).toBe('void')
  })

  it('is renewed when its period ends, by a draft that is charged to the same card an hour later', async () => {
    const { subscription } = await paid()
    now += 30 * DAY_MS
    const latest = async () => (await stripe.invoices.list({ subscription: subscription.id })).data[0]!
    await until(async () => (await latest()).billing_reason === 'subscription_cycle')
    expect(await latest()).toMatchObject({ status: 'draft', number: null, confirmation_secret: null, amount_paid: 0 })
    const early = await refusal(stripe.invoices.voidInvoice((await latest()).id!))
    expect(early).toMatchObject({ statusCode: 400, code: undefined })
    const subscribed = await stripe.subscriptions.retrieve(subscription.id)
    expect(subscribed).toMatchObject({ status: 'active', latest_invoice: (await latest()).id })
    now += HOUR_MS
    await until(async () => (await latest()).status === 'paid')
    expect(await latest()).toMatchObject({ billing_reason: 'subscription_cycle', amount_paid: 3_000 })
    const { items } = await stripe.subscriptions.retrieve(subscription.id)
    expect(items.data[0]!.current_period_end).toBe(Math.floor((now - HOUR_MS) / 1000) + 30 * 86_400)
  })

  it('is past due when its card is declined, is charged again, and ends after the fourth time', async () => {
    const { subscription } = await paid()
    await running.control('POST', `/subscriptions/${subscription.id}/fail`, { fails: true })
    await running.control('POST', `/subscriptions/${subscription.id}/renew`)
    expect(await statusOf(subscription.id)).toBe('past_due')
    for (const attempts of [2, 3]) {
      now += 3 * DAY_MS
      await until(async () => {
        const [latest] = (await stripe.invoices.list({ subscription: subscription.id })).data
        return latest?.attempt_count === attempts
      })
    }
    expect(await statusOf(subscription.id)).toBe('past_due')
    now += 3 * DAY_MS
    await until(async () => (await statusOf(subscription.id)) === 'canceled')
  })

  it('is active again when another card has paid what was open', async () => {
    const { subscription } = await paid()
    await running.control('POST', `/subscriptions/${subscription.id}/fail`, { fails: true })
    await running.control('POST', `/subscriptions/${subscription.id}/renew`)
    const { latest_invoice: open } = await stripe.subscriptions.retrieve(subscription.id, {
      expand: ['latest_invoice.confirmation_secret'],
    })
    await pay((open as Stripe.Invoice).confirmation_secret!.client_secret, 'pm_card_mastercard')
    expect(await statusOf(subscription.id)).toBe('active')
  })

  it('fails with a saved card that declines payments only, and with one whose bank wants to ask', async () => {
    const { customer, subscription } = await paid()
    for (const card of ['pm_card_chargeCustomerFail', 'pm_card_authenticationRequired']) {
      const { id } = await stripe.paymentMethods.attach(card, { customer: customer.id })
      await stripe.subscriptions.update(subscription.id, { default_payment_method: id })
      if ((await statusOf(subscription.id)) === 'active')
        await running.control('POST', `/subscriptions/${subscription.id}/renew`)
      else await running.control('POST', `/subscriptions/${subscription.id}/retry`)
      expect(await statusOf(subscription.id)).toBe('past_due')
    }
  })

  it('ends with its period when that is asked, unless it is taken back, and at once when that is asked', async () => {
    const { subscription } = await paid()
    const cancelled = await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true })
    expect(cancelled.cancel_at).toBe(cancelled.items.data[0]!.current_period_end)
    await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: false })
    await running.control('POST', `/subscriptions/${subscription.id}/renew`)
    expect(await statusOf(subscription.id)).toBe('active')
    await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true })
    await running.control('POST', `/subscriptions/${subscription.id}/renew`)
    expect(await statusOf(subscription.id)).toBe('canceled')
    const late = await refusal(stripe.subscriptions.cancel(subscription.id))
    expect(late).toMatchObject({ statusCode: 400, code: 'resource_missing' })
  })

  it('that has ended while its renewal was a draft is not charged for it', async () => {
    const { subscription } = await paid()
    await running.control('POST', `/subscriptions/${subscription.id}/renew`, { draft: true })
    await stripe.subscriptions.cancel(subscription.id)
    expect((await running.control('POST', `/subscriptions/${subscription.id}/charge`)).status).toBe(409)
    const [draft] = (await stripe.invoices.list({ subscription: subscription.id })).data
    expect(draft).toMatchObject({ status: 'draft', next_payment_attempt: null })
  })

  it('keeps an open invoice whose payment is under way from being voided', async () => {
    const { invoice, secret } = await subscribe()
    await running.control('POST', '/settings', { cards: 'by_hand' })
    await pay(secret)
    expect(await refusal(stripe.invoices.voidInvoice(invoice.id!))).toMatchObject({ statusCode: 400 })
    await running.control('POST', `/payments/${intentOf(secret)}/settle`)
    expect(await refusal(stripe.invoices.voidInvoice(invoice.id!))).toMatchObject({ statusCode: 400 })
    expect((await stripe.invoices.retrieve(invoice.id!)).status).toBe('paid')
  })

  it('whose period was not paid is active again when its invoice is voided', async () => {
    const { subscription } = await paid()
    await running.control('POST', `/subscriptions/${subscription.id}/fail`, { fails: true })
    await running.control('POST', `/subscriptions/${subscription.id}/renew`)
    const { latest_invoice: open } = await stripe.subscriptions.retrieve(subscription.id)
    await stripe.invoices.voidInvoice(open as string)
    expect(await statusOf(subscription.id)).toBe('active')
  })

  it('ends when its customer is deleted, whose cards pay nothing any more', async () => {
    const { customer, subscription } = await paid()
    const { default_payment_method: card } = await stripe.subscriptions.retrieve(subscription.id)
    await stripe.customers.del(customer.id)
    expect(await stripe.customers.retrieve(customer.id)).toEqual(expect.objectContaining({ deleted: true }))
    expect(await refusal(stripe.customers.del(customer.id))).toMatchObject({ statusCode: 404 })
    expect(await statusOf(subscription.id)).toBe('canceled')
    expect((await stripe.paymentMethods.retrieve(card as string)).customer).toBeNull()
  })

  it('that is cancelled at once leaves an open invoice that can be voided', async () => {
    const { subscription, invoice } = await subscribe()
    await stripe.subscriptions.cancel(subscription.id)
    expect(await statusOf(subscription.id)).toBe('incomplete_expired')
    expect((await stripe.invoices.retrieve(invoice.id!)).status).toBe('void')
  })

  it('stands on the page for people, who can move it on', async () => {
    const { subscription } = await paid()
    const page = await (await fetch(running.origin)).text()
    expect(page).toContain(`/sandbox/subscriptions/${subscription.id}/renew`)
    const again = await running.control('POST', `/subscriptions/${subscription.id}/retry`)
    expect(again.status).toBe(409)
  })
})
