import type Stripe from 'stripe'
import { PUBLISHABLE_KEY, portOf, type Running, refusal, startSandbox, stripeAt } from '../../test/fixture.js'

let running: Running
let stripe: Stripe
beforeAll(async () => {
  running = await startSandbox()
  stripe = running.stripe
})
afterAll(() => running.close())

async function setUp(card: string, more: Stripe.SetupIntentConfirmParams = {}) {
  const customer = await stripe.customers.create({})
  const setup = await stripe.setupIntents.create({ customer: customer.id, payment_method_types: ['card'] })
  const browser = stripeAt(portOf(running), PUBLISHABLE_KEY)
  const confirm = () =>
    browser.setupIntents.confirm(setup.id, {
      client_secret: setup.client_secret!,
      payment_method: card,
      ...more,
    } as never)
  return { customer, setup, confirm }
}
const cardsOf = async ({ id }: Stripe.Customer) => (await stripe.paymentMethods.list({ customer: id })).data

it('a card is saved without a payment, and pays more than once', async () => {
  const { customer, confirm } = await setUp('pm_card_visa')
  expect((await confirm()).status).toBe('succeeded')
  const [card] = await cardsOf(customer)
  for (let nth = 0; nth < 2; nth++) {
    const params = { amount: 2_000, currency: 'usd', customer: customer.id, payment_method_types: ['card'] }
    const paid = await stripe.paymentIntents.create({ ...params, payment_method: card!.id, confirm: true })
    expect(paid).toMatchObject({ status: 'succeeded', customer: customer.id, next_action: null })
  }
  const stolen = stripe.paymentIntents.create({
    ...{ amount: 2_000, currency: 'usd', payment_method_types: ['card'], payment_method: card!.id, confirm: true },
  })
  expect(await refusal(stolen)).toMatchObject({ statusCode: 400, param: 'payment_method' })
  await stripe.paymentMethods.detach(card!.id)
  expect(await cardsOf(customer)).toEqual([])
})

it('a card that its bank declines is not saved, and the same setup takes another', async () => {
  const { customer, confirm, setup } = await setUp('pm_card_chargeDeclined')
  expect(await refusal(confirm())).toMatchObject({ statusCode: 402, code: 'card_declined' })
  expect(await cardsOf(customer)).toEqual([])
  const again = await stripe.setupIntents.confirm(setup.id, { payment_method: 'pm_card_mastercard' })
  expect(again.status).toBe('succeeded')
})

it.each([
  ['pass', 'succeeded'],
  ['fail', 'requires_payment_method'],
])('a bank that asks first decides whether the card is saved: %s', async (outcome, status) => {
  const { customer, confirm, setup } = await setUp('pm_card_authenticationRequired', {
    return_url: 'http://localhost:3000/x',
  })
  const asked = await confirm()
  expect(asked.status).toBe('requires_action')
  const { url } = asked.next_action!.redirect_to_url!
  expect(await (await fetch(url!)).text()).toContain('save your card')
  const body = new URLSearchParams({ outcome })
  const after = await fetch(url!, { method: 'POST', body, redirect: 'manual' })
  expect(after.headers.get('location')).toContain(`setup_intent=${setup.id}`)
  expect((await stripe.setupIntents.retrieve(setup.id)).status).toBe(status)
  expect(await cardsOf(customer)).toHaveLength(outcome === 'pass' ? 1 : 0)
  expect((await fetch(url!)).status).toBe(404)
})

it('the default of a customer is one of its own cards', async () => {
  const { customer, confirm } = await setUp('pm_card_visa')
  await confirm()
  const [card] = await cardsOf(customer)
  const settings = { invoice_settings: { default_payment_method: card!.id } }
  expect((await stripe.customers.update(customer.id, settings)).invoice_settings.default_payment_method).toBe(card!.id)
  const other = await stripe.customers.create({})
  expect(await refusal(stripe.customers.update(other.id, settings))).toMatchObject({ statusCode: 400 })
})

it('with the publishable key a setup is found only with its secret', async () => {
  const { setup } = await setUp('pm_card_visa')
  const browser = stripeAt(portOf(running), PUBLISHABLE_KEY)
  expect(await refusal(browser.setupIntents.retrieve(setup.id))).toMatchObject({ statusCode: 400 })
  const wrong = browser.setupIntents.retrieve(setup.id, { client_secret: `${setup.id}_secret_x` })
  expect(await refusal(wrong)).toMatchObject({ statusCode: 404 })
})
