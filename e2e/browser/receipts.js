import { Deal } from '../support/deal.js'
import { journey } from '../support/runner.js'
import { withBrowsers } from './visit.js'

/** What a buyer finds about their payments, and what nobody else does. */
export const receiptJourneys = browser => [
  journey(
    'a buyer finds the payment and its refund in the profile, with a receipt that only they can read',
    async () => {
      const deal = await Deal.at('paid')
      const { buyer, seller, listing } = deal
      await seller.expect(200, 'POST', `${deal.path}/refund`)
      const [{ paymentId }] = await buyer.expect(200, 'GET', '/api/payments')
      const refused = [`404: GET /api/payments/${paymentId}`]
      const visits = [{ person: buyer }, { person: seller, width: 390, refused }]
      await withBrowsers(browser, 'receipt', visits, async ({ page }, { page: selling }) => {
        await page.goto('/profile?tab=payments')
        await page.getByRole('link', { name: `Receipt: Refund, ${listing.title}` }).waitFor()
        await page.getByRole('link', { name: `Receipt: Payment, ${listing.title}` }).click()
        await page.getByRole('heading', { name: 'Receipt', exact: true }).waitFor()
        await page.getByText('Visa ending in 4242').waitFor()
        await page.getByText('Total paid').waitFor()
        await page.getByText('What comes back').waitFor()
        await page.emulateMedia({ media: 'print' })
        await page.getByText(/^Holdfast: Receipt \d+-[0-9A-F]{12}$/).waitFor()
        await page.getByRole('button', { name: 'Print' }).waitFor({ state: 'hidden' })
        await selling.goto(`/payments/${paymentId}`)
        await selling.getByRole('heading', { name: 'Receipt Not Found' }).waitFor()
      })
    },
  ),
]
