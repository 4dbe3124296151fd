import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { startStripeMock } from '@holdfast/engines/stripe-mock'
import { newId } from '@holdfast/kernel/ids'
import { Drain } from '@holdfast/service-kit/lifecycle/drain'
import { Health } from '@holdfast/service-kit/lifecycle/health'
import type pg from 'pg'
import Stripe from 'stripe'
import type { DataSource } from 'typeorm'
import { SECRETS } from '../../test/dependencies.js'
import { ObservedStripe } from '../../test/observed-stripe.js'
import { CustomersProvider } from '../billing/customers.provider.js'
import { PremiumPrices } from '../billing/premium-prices.js'
import { SubscriptionsProvider } from '../billing/subscriptions.provider.js'
import { loadEscrowConfig } from '../config.js'
import { resendEvents } from '../payments/resend-events.js'
import { StripeProvider } from '../payments/stripe.provider.js'
import { unknownMovements } from '../payments/unknown-movements.js'
import { ConnectProvider } from '../payouts/connect.provider.js'
import { PlatformAccount } from './platform-account.js'
import { STRIPE_API_VERSION } from './stripe-calls.js'

/**
 * Every request to Stripe, sent to Stripe's own mock. It refuses a parameter that Stripe does not know, a missing one and one of a wrong
 * type, and answers with an example of the object. It keeps no state, so this file says nothing about what Stripe does with a request.
 * The mock cannot check:
 *
 * - what a status allows (confirm, cancel, refund, void), amounts, currencies, and capabilities of a seller's account,
 * - idempotency keys, the `Stripe-Account` header, pages after the first, and the words of a search's query,
 * - names in `expand`, except those whose objects a test below reads,
 * - which metadata come back, so that a search by our id finds nothing there,
 * - events and their signatures, and what the browser sends with Stripe.js.
 *
 * The sandbox, with which the integration tests run, keeps state and covers these as we understand Stripe's documentation.
 */
describe('each request to Stripe', () => {
  const ID = newId()
  const MONEY = { amountMinor: 12_345n, currency: 'USD' } as const
  const INTENT = {
    id: expect.stringMatching(/^pi_/),
    clientSecret: expect.any(String),
    state: expect.stringMatching(/^(open|processing|succeeded|cancelled)$/),
    receivedMinor: expect.any(BigInt),
    amountMinor: expect.any(BigInt),
    currency: expect.stringMatching(/^[A-Z]{3}$/),
    hasFailed: expect.any(Boolean),
  }
  const REFUND = {
    providerRefundId: expect.stringMatching(/^re_/),
    status: expect.stringMatching(/^(sent|confirmed|failed)$/),
  }
  const PAYOUT = {
    providerPayoutId: expect.stringMatching(/^po_/),
    status: expect.stringMatching(/^(in_transit|paid|failed)$/),
    amountMinor: expect.any(BigInt),
    currency: expect.stringMatching(/^[A-Z]{3}$/),
  }

  let folder: string
  let mock: Awaited<ReturnType<typeof startStripeMock>>
  let stripe: ObservedStripe
  let payments: StripeProvider
  let connect: ConnectProvider
  let customers: CustomersProvider
  let subscriptions: SubscriptionsProvider

  beforeAll(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-stripe-'))
    mock = await startStripeMock(folder)
    const config = loadEscrowConfig({
      ...{ NODE_ENV: 'test', PORT: '0', OPS_PORT: '0', DATABASE_URL: 'postgres://nobody@127.0.0.1/none', ...SECRETS },
      STRIPE_API_URL: mock.url,
    })
    // The account that the database remembers is the one that asks.
    const database = { query: async (_: string, [, id]: string[]) => [{ account_id: id }] } as unknown as DataSource
    stripe = new ObservedStripe(new PlatformAccount(database, config, new Health(new Drain())).client)
    const account = stripe as unknown as PlatformAccount
    payments = new StripeProvider(config, account)
    connect = new ConnectProvider(account)
    customers = new CustomersProvider(account)
    subscriptions = new SubscriptionsProvider(account, new PremiumPrices(account))
  })
  afterAll(async () => {
    await mock.process.stop()
    fs.rmSync(folder, { recursive: true, force: true })
  })

  // The adapter goes on after some refusals, so its result alone does not say that each request was accepted.
  afterEach(() => {
    const refused = stripe.answers.splice(0).filter(({ status }) => status !== 200)
    expect(refused).toEqual([])
  })

  const mockHost = () => ({ host: '127.0.0.1', port: new URL(mock.url).port, protocol: 'http' }) as const

  /** Has the next call of the method refused, so that the adapter reads what is there. */
  const refuse = (method: string) => {
    stripe.next(method, async () => {
      throw new Stripe.errors.StripeInvalidRequestError({ type: 'invalid_request_error', message: 'refused' })
    })
  }

  describe('about payments', () => {
    const payment = { id: ID, transactionId: 7, attempt: 2, ...MONEY, payerEmail: 'buyer@example.com' }
    it.each(['card', 'bank'] as const)('creates an intent that is paid by %s', async method => {
      expect(await payments.createIntent({ ...payment, method })).toMatchObject(INTENT)
    })

    it('reads, changes and cancels an intent', async () => {
      expect(await payments.getIntent('pi_1')).toMatchObject(INTENT)
      expect(await payments.findIntents(ID)).toEqual([expect.objectContaining(INTENT)])
      expect(await customers.letPay('cus_1', 'pi_1')).toMatchObject(INTENT)
      expect(await payments.cancelIntent('pi_1')).toMatchObject(INTENT)
    })

    it('changes the address of a payer, and takes it from the payers of a payment', async () => {
      await payments.setAddress('cus_1', 'other@example.com')
      await payments.eraseAddresses(ID, 'cus_1')
    })

    it('reads what has arrived from a payer, charges and the movements of our balance', async () => {
      const currencyAndAmount = { currency: expect.stringMatching(/^[A-Z]{3}$/), amountMinor: expect.any(BigInt) }
      expect(await payments.unappliedOf('cus_1', [])).toEqual(currencyAndAmount)
      expect(await payments.takenBackOf('cus_1')).toEqual({
        takenMinor: expect.any(BigInt),
        keptMinor: expect.any(BigInt),
      })
      expect(await payments.chargeOf('ch_1')).toMatchObject({
        fee: { feeMinor: expect.any(BigInt), currency: expect.stringMatching(/^[A-Z]{3}$/) },
        card: { brand: expect.any(String), last4: expect.stringMatching(/^\d{4}$/) },
      })
      const changes = await payments.balanceChanges(new Date('2026-11-01T00:00Z'), new Date('2026-11-02T00:00Z'))
      expect([...changes.sums]).toEqual([[expect.stringMatching(/^[A-Z]{3}$/), expect.any(BigInt)]])
    })

    it('reads events and movements again after a restore', async () => {
      const nowhere = { url: 'http://127.0.0.1:9', secret: 'whsec_of_no_event' }
      expect(await resendEvents(stripe.client, new Date(), nowhere)).toEqual({ accepted: 0, refused: [] })
      const database = { query: async () => ({ rows: [{ known: false, seller: null }] }) } as unknown as pg.ClientBase
      expect(await unknownMovements(stripe.client, database, new Date())).toMatchObject([
        { currency: expect.stringMatching(/^[A-Z]{3}$/), netMinor: expect.any(BigInt) },
      ])
    })
  })

  describe('about refunds', () => {
    const ofPayment = { id: ID, intentId: 'pi_1', unappliedOf: null, attempt: 1, ...MONEY }
    const ofTransfer = { ...ofPayment, unappliedOf: 'cus_1' }
    it.each([ofPayment, ofTransfer])('creates one', async refund => {
      expect(await payments.refund(refund)).toMatchObject(REFUND)
    })

    it.each([ofPayment, ofTransfer])('looks for one after a refusal', async refund => {
      refuse('refunds.create')
      await expect(payments.refund(refund)).rejects.toMatchObject({ name: 'AttemptFailed' })
    })

    it('reads one', async () => {
      expect(await payments.getRefund('re_1')).toMatchObject(REFUND)
    })
  })

  describe('about sellers’ accounts, transfers and payouts', () => {
    const step = { id: ID, accountId: 'acct_1', attempt: 1, ...MONEY }

    it('opens an account and reads it', async () => {
      expect(await connect.openAccount(ID, 1)).toMatch(/^acct_/)
      expect(await connect.onboardingUrl('acct_1', 'https://holdfast.example/payouts')).toMatch(/^https:/)
      const status = expect.stringMatching(/^(onboarding|ready|restricted)$/)
      expect(await connect.getAccount('acct_1')).toMatchObject({ status })
    })

    it.each([false, true])('transfers and pays out (again: %s)', async isRepeated => {
      expect(await connect.transfer({ ...step, isRepeated })).toMatch(/^tr_/)
      expect(await connect.payOut({ ...step, isRepeated, bankId: 'ba_1' })).toMatchObject(PAYOUT)
    })

    it('reads payouts, and moves a transfer back', async () => {
      expect(await connect.transferOf(ID)).toMatch(/^tr_/)
      expect(await connect.getPayout('po_1', 'acct_1')).toMatchObject(PAYOUT)
      await connect.reverse('tr_1', { id: ID, attempt: 1 })
      expect(stripe.called).toContain('transfers.createReversal')
    })
  })

  describe('about customers and their cards', () => {
    it('opens and deletes a customer', async () => {
      expect(await customers.openCustomer(ID, 1)).toMatch(/^cus_/)
      await customers.deleteCustomer('cus_1')
      refuse('customers.del')
      await expect(customers.deleteCustomer('cus_1')).rejects.toThrow('refused')
    })

    it('saves, lists and removes cards', async () => {
      expect(await customers.setUpCard('cus_1')).toEqual(expect.any(String))
      const card = {
        id: expect.stringMatching(/^pm_/),
        brand: expect.any(String),
        last4: expect.stringMatching(/^\d{4}$/),
        expMonth: expect.any(Number),
        expYear: expect.any(Number),
      }
      expect(await customers.listCards('cus_1', 'sub_1')).toEqual([expect.objectContaining(card)])
      expect(await customers.hasCard('cus_1', 'pm_1')).toEqual(expect.any(Boolean))
      await customers.makeDefault('cus_1', 'pm_1', 'sub_1')
      await customers.removeCard('pm_1')
    })

    it('reads what is there after a refusal', async () => {
      refuse('subscriptions.update')
      await expect(customers.makeDefault('cus_1', 'pm_1', 'sub_1')).rejects.toThrow('refused')
      refuse('paymentMethods.detach')
      await customers.removeCard('pm_1')
    })
  })

  describe('about subscriptions', () => {
    const INVOICE = {
      id: expect.stringMatching(/^in_/),
      number: expect.any(String),
      status: expect.stringMatching(/^(open|paid|void)$/),
      amountMinor: expect.any(BigInt),
      periodStartsAt: expect.any(Date),
      periodEndsAt: expect.any(Date),
    }
    /** The mock's example of an invoice is a draft. */
    const openInvoices = () =>
      stripe.next('invoices.list', async send => {
        const list = (await send()) as Stripe.ApiList<Stripe.Invoice>
        return { ...list, data: list.data.map(invoice => ({ ...invoice, status: 'open' })) }
      })

    it.each(['month', 'year'] as const)('creates one that is paid each %s', async interval => {
      const wanted = { id: ID, customerId: 'cus_1', attempt: 1, interval, ...MONEY }
      expect(await subscriptions.createSubscription(wanted)).toMatch(/^sub_/)
      expect(stripe.called).toContain('prices.create')
    })

    it('reads them, their invoices and the fee of a payment', async () => {
      expect(await subscriptions.findSubscription('cus_1', ID)).toBeNull()
      expect(await subscriptions.getSubscription('sub_1')).toMatchObject({
        id: expect.stringMatching(/^sub_/),
        status: expect.stringMatching(/^(incomplete|active|past_due|ended)$/),
        periodEndsAt: expect.any(Date),
        cancelsAtPeriodEnd: expect.any(Boolean),
      })
      openInvoices()
      expect((await subscriptions.listInvoices('sub_1')).invoices).toEqual([expect.objectContaining(INVOICE)])
      await subscriptions.secretOf('in_1')
      await subscriptions.feeOf('pi_1')
    })

    it('reads who paid, and what went back of a payment', async () => {
      expect((await subscriptions.findCustomer('pi_1')) ?? 'cus_').toMatch(/^cus_/)
      expect(await subscriptions.returnsOf('pi_1')).toMatchObject({
        refundedMinor: expect.any(BigInt),
        chargedBackMinor: expect.any(BigInt),
        chargebackFeeMinor: expect.any(BigInt),
        isChargebackLost: expect.any(Boolean),
      })
    })

    it('changes and ends one', async () => {
      expect(await subscriptions.setCancelAtPeriodEnd('sub_1', true)).toBe(true)
      await subscriptions.endSubscription('sub_1')
      openInvoices()
      await subscriptions.cancelUnpaid('sub_1')
      expect(stripe.called).toContain('invoices.voidInvoice')
    })

    it('reads what is there after a refusal', async () => {
      refuse('subscriptions.cancel')
      await expect(subscriptions.endSubscription('sub_1')).rejects.toThrow('refused')
      openInvoices()
      refuse('invoices.voidInvoice')
      expect(await subscriptions.voidOpen('sub_1')).toEqual([expect.objectContaining(INVOICE)])
    })
  })

  it('names the pinned version of the API', async () => {
    await payments.getIntent('pi_1')
    expect(STRIPE_API_VERSION).toBe(Stripe.API_VERSION)
    expect(new Set(stripe.versions)).toEqual(new Set([STRIPE_API_VERSION]))
  })

  it('is refused when it names another version of the API', async () => {
    const other = new Stripe('sk_test_contract', { ...mockHost(), apiVersion: '2026-01-28.clover' as never })
    await expect(other.balance.retrieve()).rejects.toThrow("doesn't match version")
  })

  it('is refused with a parameter that Stripe does not know, without one that it needs, and with one of a wrong type', async () => {
    const client = new Stripe('sk_test_contract', mockHost())
    const send = (params: object) => client.paymentIntents.create(params as Stripe.PaymentIntentCreateParams)
    const invalid = { type: 'StripeInvalidRequestError', statusCode: 400 }
    await expect(send({ amount: 1, currency: 'usd' })).resolves.toMatchObject({ object: 'payment_intent' })
    await expect(send({ amount: 1, currency: 'usd', currencies: 'usd' })).rejects.toMatchObject(invalid)
    await expect(send({ amount: 1 })).rejects.toMatchObject(invalid)
    await expect(send({ amount: 'one', currency: 'usd' })).rejects.toMatchObject(invalid)
  })

  // It looks at what all tests above have called.
  it('is made in this file', () => {
    const src = path.join(import.meta.dirname, '..')
    const inCode = fs
      .readdirSync(src, { recursive: true, encoding: 'utf8' })
      .filter(file => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
      .flatMap(file => [...fs.readFileSync(path.join(src, file), 'utf8').matchAll(CALL)])
      .map(([, resource, method]) => `${resource}.${method}`)
    expect(inCode.length).toBeGreaterThan(40)
    const notCalled = [...new Set(inCode)].filter(name => !stripe.called.has(name))
    expect(notCalled.sort()).toEqual(['webhooks.constructEvent', 'webhooks.generateTestHeaderStringAsync'])
  })
})

/** A call of Stripe's SDK in the code, such as `this.stripe.refunds.create(`. */
const CALL = /\b(?:stripe|unguarded)\s*\.(\w+)\s*\.(\w+)\(/g
