import type Stripe from 'stripe'
import { type Running, refusal, startSandbox, until } from '../../test/fixture.js'

const DAY_MS = 86_400_000

let running: Running
let now = Date.now()
beforeAll(async () => {
  running = await startSandbox({ now: () => now })
})
afterAll(() => running.close())

const payByBank = (accountNumber: string): Promise<Stripe.PaymentIntent> =>
  running.stripe.paymentIntents.create({
    amount: 100_000,
    currency: 'usd',
    payment_method_types: ['us_bank_account'],
    payment_method_data: {
      type: 'us_bank_account',
      us_bank_account: {
        account_holder_type: 'individual',
        account_number: accountNumber,
        routing_number: '110000000',
      },
      billing_details: { name: 'Ana Buyer' },
    },
    confirm: true,
  })
const statusOf = async (id: string) => (await running.stripe.paymentIntents.retrieve(id)).status

describe('a bank payment', () => {
  it('is on its way for two days and then paid, for the bank’s smaller fee', async () => {
    const { id, status } = await payByBank('000123456789')
    expect(status).toBe('processing')
    now += DAY_MS
    expect(await statusOf(id)).toBe('processing')
    now += DAY_MS + 1
    await until(async () => (await statusOf(id)) === 'succeeded')
    const paid = await running.stripe.paymentIntents.retrieve(id, { expand: ['latest_charge.balance_transaction'] })
    expect(paid.latest_charge).toMatchObject({ balance_transaction: { fee: 500, type: 'payment' } })
  })

  it('comes back when the account has no money, and the intent is open again', async () => {
    const { id } = await payByBank('000222222227')
    now += 2 * DAY_MS + 1
    await until(async () => (await statusOf(id)) === 'requires_payment_method')
    const after = await running.stripe.paymentIntents.retrieve(id)
    expect(after.last_payment_error).toMatchObject({ code: 'insufficient_funds' })
  })

  it('cannot be cancelled while it is on its way', async () => {
    const { id } = await payByBank('000123456789')
    expect(await refusal(running.stripe.paymentIntents.cancel(id))).toMatchObject({ statusCode: 400 })
  })

  it('takes test accounts only', async () => {
    expect(await refusal(payByBank('123123123123'))).toMatchObject({ code: 'account_number_invalid' })
  })
})

describe('by hand', () => {
  it('a card payment waits until it is settled or declined', async () => {
    await running.control('POST', '/settings', { cards: 'by_hand' })
    const pay = () =>
      running.stripe.paymentIntents.create({
        amount: 2_500,
        currency: 'usd',
        payment_method_types: ['card'],
        payment_method: 'pm_card_visa',
        confirm: true,
      })
    const [kept, refused] = [await pay(), await pay()]
    now += 30 * DAY_MS
    expect([kept.status, refused.status]).toEqual(['processing', 'processing'])

    await running.control('POST', `/payments/${kept.id}/settle`)
    await running.control('POST', `/payments/${refused.id}/decline`, { reason: 'insufficient_funds' })
    await running.control('POST', '/settings', { cards: 'at_once' })

    expect(await statusOf(kept.id)).toBe('succeeded')
    expect(await running.stripe.paymentIntents.retrieve(refused.id)).toMatchObject({
      status: 'requires_payment_method',
      last_payment_error: { decline_code: 'insufficient_funds' },
    })
    expect((await running.control('POST', `/payments/${kept.id}/settle`)).status).toBe(409)
  })
})
