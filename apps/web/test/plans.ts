import type { SavedCard } from '@holdfast/contracts/payment-methods'
import type { Invoice, OpenedSubscription, Subscription } from '@holdfast/contracts/subscriptions'
import { uuid } from './ids.js'

/** A user who never had Premium. */
export const standardPlan: Subscription = {
  ...{ plan: 'standard', status: 'none', interval: null, amount: null, currency: 'USD' },
  ...{ periodEndsAt: null, cancelsAtPeriodEnd: false, premiumUntil: null, moneyBack: null, cardLabel: null },
}

/** A user whose Premium is paid until December 24, 2026. */
export const premiumPlan = (changes: Partial<Subscription> = {}): Subscription => ({
  ...{ plan: 'premium', status: 'active', interval: 'month', amount: '30.00', currency: 'USD' },
  ...{ periodEndsAt: '2026-12-24T12:00:00.000Z', cancelsAtPeriodEnd: false, premiumUntil: null, moneyBack: null },
  cardLabel: 'Visa ending in 4242',
  ...changes,
})

/** A subscription that waits for its payment at the provider. */
export const openedSubscription = (changes: Partial<OpenedSubscription> = {}): OpenedSubscription => ({
  subscriptionId: uuid(3100),
  ...{ status: 'incomplete', interval: 'month', amount: '30.00', currency: 'USD' },
  ...{ providerUrl: 'http://sandbox.test', publishableKey: 'pk_test_1', clientSecret: 'pi_1_secret_2' },
  ...changes,
})

export const invoice = (changes: Partial<Invoice> = {}): Invoice => ({
  ...{ id: 'in_1', number: 'A1B2C3D4-0001', status: 'paid', amount: '30.00', currency: 'USD', interval: 'month' },
  ...{ periodStartsAt: '2026-11-24T12:00:00.000Z', periodEndsAt: '2026-12-24T12:00:00.000Z' },
  ...{ createdAt: '2026-11-24T12:00:00.000Z', paidAt: '2026-11-24T12:00:05.000Z', returned: '0.00' },
  ...changes,
})

export const savedCard = (changes: Partial<SavedCard> = {}): SavedCard => ({
  ...{ id: 'pm_saved', brand: 'Visa', last4: '4242', expMonth: 12, expYear: 2040, isDefault: false },
  ...changes,
})
