import type { PaymentStatus } from '@holdfast/kernel/payments'
import { Clock } from '@holdfast/service-kit/lifecycle/clock'
import type { DealQueries } from '../deals/deal-queries.js'
import type { CryptoPaymentsService } from './crypto/crypto-payments.service.js'
import type { FundsService } from './funds.service.js'
import { OpenPaymentsService } from './open-payments.service.js'
import type { PaymentsRepository } from './payments.repository.js'
import type { StripeProvider } from './stripe.provider.js'

/** The service with a payment in memory, and a provider whose intent was declined and waits for another card. */
function withPayment(status: PaymentStatus): OpenPaymentsService {
  const payment = { id: 'payment', intentId: 'pi_1', status, updatedAt: new Date(0) }
  const payments = {
    findLatest: async () => ({ ...payment }),
    claimAsking: async () => true,
  }
  return new OpenPaymentsService(
    payments as unknown as PaymentsRepository,
    { getVisible: async () => ({}) } as unknown as DealQueries,
    {
      recordUnfinished: async () => {
        payment.status = 'open'
      },
    } as unknown as FundsService,
    { getIntent: async () => ({ state: 'open' }) } as unknown as StripeProvider,
    { returnsOfDeal: async () => [] } as unknown as CryptoPaymentsService,
    new Clock(),
  )
}

it('a payment is open again when the provider no longer processes it, although no event says so', async () => {
  expect(await withPayment('processing').latestOf(1, 'buyer')).toMatchObject({ status: 'open' })
})
