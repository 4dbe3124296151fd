import type Stripe from 'stripe'
import { toInvoice } from './billing-objects.js'

const payment = (status: string, intent: string) => ({
  ...{ status, payment: { type: 'payment_intent', payment_intent: intent } },
})

/** What the provider says of an invoice, as far as it is read. */
function invoice(status: string, payments: object[] | undefined): Stripe.Invoice {
  const at = 1_790_000_000
  return {
    ...{ id: 'in_1', number: 'A-1', status, currency: 'usd', amount_due: 3_000, amount_paid: 3_000, created: at },
    ...{ lines: { data: [] }, period_start: at, period_end: at, status_transitions: { paid_at: at } },
    payments: payments && { data: payments },
  } as unknown as Stripe.Invoice
}

test('the payment of a paid invoice is the one that has paid it', () => {
  const payments = [payment('canceled', 'pi_first'), payment('paid', 'pi_second')]
  expect(toInvoice(invoice('paid', payments)).intentId).toBe('pi_second')
  expect(toInvoice(invoice('open', [payment('open', 'pi_first')])).intentId).toBe('pi_first')
})

test('a paid invoice that no payment has paid has none', () => {
  expect(toInvoice(invoice('paid', [payment('canceled', 'pi_first')])).intentId).toBeNull()
  expect(toInvoice(invoice('paid', [])).intentId).toBeNull()
})

test('an invoice that was read without its payments is not understood', () => {
  expect(() => toInvoice(invoice('paid', undefined))).toThrow('without its payments')
})
