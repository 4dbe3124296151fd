import assert from 'node:assert/strict'
import { Deal } from '../support/deal.js'
import { eventually } from '../support/eventually.js'
import { Person } from '../support/person.js'
import { journey } from '../support/runner.js'
import { control } from '../support/sandbox.js'
import { payWith } from './card.js'
import { bellSays } from './deal-page.js'
import { keepPicture, withBrowsers } from './visit.js'

const GOOD = '4242 4242 4242 4242'
const OTHER = '5555 5555 5555 4444'
const DECLINED = '4000 0000 0000 0002'
/** The provider's answer to a card that is declined. */
const IS_DECLINED = /^402: POST .*\/confirm$/
const PLAN = '/profile?tab=payments'

/** Premium and saved cards, as their users see them. */
export const premiumJourneys = browser => [
  journey(
    'a seller subscribes, a later period fails and is paid with another card, and the seller cancels and resumes',
    async () => {
      const seller = await Person.signUp('Petra')
      const before = await Deal.at('pending', {}, { seller })
      await withBrowsers(browser, 'premium', [{ person: seller, refused: [IS_DECLINED] }], async ({ page }) => {
        await page.goto('/upgrade')
        await page.getByRole('link', { name: 'Upgrade to Premium' }).click()
        await page.getByRole('heading', { name: 'Subscribe to Premium' }).waitFor()
        await payWith(page, DECLINED)
        await page.getByText('Your card was declined. This attempt charged nothing.').waitFor()
        await keepPicture(page, 'premium-declined')
        await payWith(page, GOOD)
        await page.waitForURL('**/dashboard')
        await page.getByText('Welcome to Premium!', { exact: true }).waitFor()
        await hasPlan(seller, 'premium')
        await feesAre(before, await Deal.at('pending', {}, { seller }))

        await decline(seller)
        await page.goto(PLAN)
        await page.getByText(/^\$30\.00 could not be charged to Visa ending in 4242\. You keep Premium until/).waitFor()
        await bellSays(page, 'Payment for Premium failed', '$30.00 could not be charged to your card.')
        await keepPicture(page, 'premium-past-due')
        await page.getByRole('link', { name: 'Pay Now' }).click()
        await page.getByLabel('Another card').check()
        await payWith(page, OTHER)
        await page.waitForURL('**/dashboard')

        await page.goto(PLAN)
        await page.getByText(/^\$30\.00 is charged to Mastercard ending in 4444 on/).waitFor()
        await page.getByRole('button', { name: 'Cancel Premium' }).click()
        await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel Premium' }).click()
        await page.getByText(/^Premium ends on .*\. Nothing more is charged\.$/).waitFor()
        await page.getByRole('button', { name: 'Resume Premium' }).click()
        await page.getByText(/^\$30\.00 is charged to Mastercard/).waitFor()
        await printsInvoice(page)
      })
    },
  ),

  journey('a buyer saves a card that the bank confirms, pays a transaction with it, and removes it', async () => {
    const deal = await Deal.at('pending')
    await withBrowsers(browser, 'saved-card', [{ person: deal.buyer }], async ({ page }) => {
      await page.goto(PLAN)
      await page.getByText('No payment methods').waitFor()
      await page.getByRole('button', { name: 'Add Payment Method' }).click()
      await page.getByLabel('Card Number').fill('4000 0025 0000 3155')
      await page.getByLabel('Expiry (MM/YY)').fill('12/34')
      await page.getByLabel('CVV').fill('123')
      await page.getByLabel('Cardholder Name').fill('Bruno Journey')
      await page.getByRole('button', { name: 'Save Card' }).click()
      await page.getByRole('button', { name: 'Yes, confirm' }).click()
      await page.getByText('Visa ending in 3155').waitFor()
      await keepPicture(page, 'saved-card')

      await page.goto(`/send-funds/${deal.id}`)
      await page.getByLabel(/^Visa ending in 3155/).waitFor()
      await keepPicture(page, 'send-funds-saved-card')
      await page.getByRole('button', { name: /^Pay \$/ }).click()
      await page.getByRole('button', { name: /^Yes, confirm/ }).click()
      await eventually('the transaction is paid', async () => (await deal.status()) === 'paid')

      await page.goto(PLAN)
      await page.getByRole('button', { name: 'Remove Visa ending in 3155' }).click()
      await page.getByRole('button', { name: 'Remove Card' }).click()
      await page.getByText('No payment methods').waitFor()
    })
  }),
]

const hasPlan = (person, plan) =>
  eventually(`the plan of the user is ${plan}`, async () => {
    const user = await person.expect(200, 'GET', '/api/auth/user')
    return user.plan === plan
  })

/** The seller's fee of a deal that was opened with Premium is lower, and that of an older one is not. */
async function feesAre(standard, premium) {
  const fees = await Promise.all(
    [standard, premium].map(async deal => {
      const { amount, money } = await deal.seenBy(deal.seller)
      return (100 * (Number(amount) - Number(money.sellerNet))) / Number(amount)
    }),
  )
  assert.deepEqual(
    fees.map(each => each.toFixed(1)),
    ['1.5', '1.0'],
  )
}

/** The next period begins, and the card is declined. */
async function decline(person) {
  const { periodEndsAt } = await person.expect(200, 'GET', '/api/subscription')
  const endsAt = Math.floor(Date.parse(periodEndsAt) / 1000)
  const found = (await control('GET', '/subscriptions')).find(
    each => each.status === 'active' && each.items.data[0].current_period_end === endsAt,
  )
  assert.ok(found, 'the provider has the subscription')
  await control('POST', `/subscriptions/${found.id}/fail`, { fails: true })
  await control('POST', `/subscriptions/${found.id}/renew`)
}

async function printsInvoice(page) {
  const invoices = page.getByRole('heading', { name: 'Invoices' }).locator('..')
  await invoices.getByText('Paid').nth(1).waitFor()
  await invoices.getByRole('link').first().click()
  await page.getByText('Holdfast Premium').waitFor()
  await page.getByRole('button', { name: 'Print' }).waitFor()
  await keepPicture(page, 'premium-invoice')
}
