import Stripe from 'stripe'
import { portOf, type Running, SECRET_KEY, startSandbox, stripeAt, until } from '../../test/fixture.js'
import { TEST_BANKS } from './test-banks.js'

let running: Running
let stripe: Stripe
beforeEach(async () => {
  running = await startSandbox()
  stripe = stripeAt(portOf(running), SECRET_KEY)
})
afterEach(() => running.close())

const BACK = 'http://localhost:3000/profile'
const usd = { currency: 'usd' } as const

/** An account whose seller has filled in the form. */
async function account(bank: keyof typeof TEST_BANKS = 'pays') {
  const { id } = await stripe.accounts.create({ type: 'express', metadata: { user_id: 'u1' } })
  const response = await fillIn(await link(id), TEST_BANKS[bank]!.number)
  expect([response.status, response.headers.get('location')]).toEqual([303, BACK])
  return id
}

const link = async (id: string) =>
  (await stripe.accountLinks.create({ account: id, type: 'account_onboarding', return_url: BACK, refresh_url: BACK }))
    .url

const fillIn = (url: string, number: string) =>
  fetch(url.replace('localhost', '127.0.0.1'), {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ holder: 'Sam Seller', routing: '110000000', number }),
  })

/** A payment of 100.00, so that there is a balance to transfer. */
const earn = () =>
  stripe.paymentIntents.create({
    ...{ ...usd, amount: 10_000, payment_method: 'pm_card_visa', confirm: true },
    automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
  })

test('an account can be paid after its form is filled in, which is possible once', async () => {
  const { id } = await stripe.accounts.create({ type: 'express' })
  expect(await stripe.accounts.retrieve(id)).toMatchObject({ details_submitted: false, payouts_enabled: false })
  const url = await link(id)
  expect((await fillIn(url, '12345')).status).toBe(422)
  expect((await fillIn(url, '000123456789')).status).toBe(303)
  expect((await fillIn(url, '000123456789')).status).toBe(404)
  expect(await stripe.accounts.retrieve(id)).toMatchObject({
    details_submitted: true,
    payouts_enabled: true,
    capabilities: { transfers: 'active' },
    external_accounts: { data: [{ bank_name: 'Test Bank', last4: '6789' }] },
  })
})

test('a transfer and a payout bring money to a seller’s bank, and their events name the account', async () => {
  await earn()
  const destination = await account()
  const transfer = await stripe.transfers.create({ ...usd, amount: 5_000, destination, transfer_group: 'g1' })
  const payout = await stripe.payouts.create({ ...usd, amount: 5_000 }, { stripeAccount: destination })
  expect(payout).toMatchObject({ status: 'in_transit' })
  await running.control('POST', `/payouts/${payout.id}/settle`)
  expect(await stripe.payouts.retrieve(payout.id, undefined, { stripeAccount: destination })).toMatchObject({
    status: 'paid',
  })
  await expect(stripe.payouts.retrieve(payout.id)).rejects.toMatchObject({ code: 'resource_missing' })
  await expect(
    stripe.payouts.create({ ...usd, amount: 1, destination: 'ba_of_another' }, { stripeAccount: destination }),
  ).rejects.toMatchObject({ code: 'resource_missing' })
  expect((await stripe.transfers.list({ transfer_group: 'g1' })).data.map(each => each.id)).toEqual([transfer.id])
  await until(() => running.receiver.types().includes('payout.paid'))
  const events = running.receiver.received.map(({ body }) => JSON.parse(body) as { type: string; account?: string })
  expect(events.find(({ type }) => type === 'payout.paid')?.account).toBe(destination)
  expect(events.find(({ type }) => type === 'transfer.created')?.account).toBeUndefined()
})

test('a payout that comes back stops the bank account, and its transfer can be reversed once', async () => {
  await earn()
  const destination = await account('account_closed')
  const transfer = await stripe.transfers.create({ ...usd, amount: 5_000, destination })
  const payout = await stripe.payouts.create({ ...usd, amount: 5_000 }, { stripeAccount: destination })
  await expect(stripe.transfers.createReversal(transfer.id)).rejects.toMatchObject({ code: 'balance_insufficient' })
  await running.control('POST', `/payouts/${payout.id}/fail`, { code: 'account_closed' })
  expect(await stripe.accounts.retrieve(destination)).toMatchObject({ payouts_enabled: false })
  await expect(stripe.payouts.create({ ...usd, amount: 1 }, { stripeAccount: destination })).rejects.toMatchObject({
    code: 'payouts_not_allowed',
  })
  await stripe.transfers.createReversal(transfer.id)
  expect(await stripe.transfers.retrieve(transfer.id)).toMatchObject({ reversed: true, amount_reversed: 5_000 })
  await expect(stripe.transfers.createReversal(transfer.id)).rejects.toBeInstanceOf(
    Stripe.errors.StripeInvalidRequestError,
  )
  const { data } = await stripe.balanceTransactions.list()
  expect(data.map(({ type, net }) => [type, net])).toEqual([
    ['transfer_refund', 5_000],
    ['transfer', -5_000],
    ['charge', 9_680],
  ])
})

test('a transfer of more than the balance is refused, and the same key gives the same transfer', async () => {
  await earn()
  const destination = await account()
  await expect(stripe.transfers.create({ ...usd, amount: 9_681, destination })).rejects.toMatchObject({
    code: 'balance_insufficient',
  })
  const wanted = () => stripe.transfers.create({ ...usd, amount: 9_680, destination }, { idempotencyKey: 'k1' })
  expect((await wanted()).id).toBe((await wanted()).id)
})

test('a payout into the slow bank arrives after days, one into another bank within the hour', async () => {
  await earn()
  const transitDays = async (bank: keyof typeof TEST_BANKS) => {
    const destination = await account(bank)
    await stripe.transfers.create({ ...usd, amount: 2_000, destination })
    const payout = await stripe.payouts.create({ ...usd, amount: 2_000 }, { stripeAccount: destination })
    return (payout.arrival_date - payout.created) / 86_400
  }
  expect(await transitDays('pays')).toBeCloseTo(1 / 24, 3)
  expect(await transitDays('slow')).toBeCloseTo(5, 3)
})
