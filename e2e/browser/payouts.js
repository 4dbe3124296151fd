import assert from 'node:assert/strict'
import { Deal } from '../support/deal.js'
import { DEMO_WITHIN_MS, findDemoPerson } from '../support/demo.js'
import { eventually } from '../support/eventually.js'
import { journey } from '../support/runner.js'
import { control, linkIn, mailsTo } from '../support/sandbox.js'
import { bellSays } from './deal-page.js'
import { keepPicture, withBrowsers } from './visit.js'

/** Its payouts are in transit for long enough to be seen: those of the other banks arrive within seconds when a day is short. */
const SLOW_BANK = '000987656789'
const RETURNED = 'Did not reach Test Bank ending in 6789 and went back to your balance.'

/** What a seller sees of their payouts. The seller is one of the demo, because only an operator can verify a person. */
export const payoutJourneys = browser => [
  journey('a verified seller is paid out by a button, and reads it when the bank returns the payout', async () => {
    const seller = await findDemoPerson('theo')
    await eventually('the demo has paid its seller out', () => hasPaidOut(seller), { withinMs: DEMO_WITHIN_MS })
    const deal = await Deal.at('inspection', {}, { seller })
    await withBrowsers(
      browser,
      'payout',
      [{ person: seller }, { person: seller, width: 390 }],
      async (wide, narrow) => {
        const known = await mailsAboutChanges(seller)
        await addBank(wide.page)
        await wide.page.getByText('Your payout account was changed a short time ago').waitFor()
        await confirmBank(wide.page, seller, known.length)
        await eventually('the daily payout is not due soon', () => isFarFromDailyPayout(seller), { withinMs: 75_000 })
        await deal.accept()
        await payOut(wide.page, deal)
        const id = await payoutAtProvider(seller)
        await narrow.page.goto('/profile?tab=payments')
        await newestSays(narrow.page, 'On its way to Test Bank ending in 6789.')
        await control('POST', `/payouts/${id}/fail`, { code: 'account_closed' })
        await newestSays(narrow.page, `${RETURNED} The bank account has been closed.`)
        await bellSays(narrow.page, 'Payout returned', 'The bank account has been closed.')
        await keepPicture(narrow.page, 'payout-returned')
        await addBank(wide.page)
        await wide.page.getByText('Your payout account was changed a short time ago').waitFor()
      },
    )
  }),
]

const overviewOf = seller => seller.expect(200, 'GET', '/api/payouts')

async function hasPaidOut(seller) {
  const { payouts } = await overviewOf(seller)
  return payouts[0]?.status === 'paid' || payouts.length > 2
}

/** The daily payout also takes what the button would pay out. So from the acceptance on, the journey runs between two of them. */
async function isFarFromDailyPayout(seller) {
  const { nextPayoutAt } = await overviewOf(seller)
  return Date.parse(nextPayoutAt) - Date.now() > 50_000
}

/** Pays out what the deal has released, by the button, and opens the payout's deals. */
async function payOut(page, deal) {
  await page.goto('/profile?tab=payments')
  await page.getByRole('button', { name: 'Pay Out Now' }).click()
  await page
    .getByText(/^(Set aside for|On its way to) Test Bank ending in 6789\./)
    .first()
    .waitFor()
  await page.locator('summary').first().click()
  await page.getByRole('link', { name: deal.listing.title }).first().waitFor()
}

/** Waits until the newest payout of the page says this. */
const newestSays = (page, text) =>
  page
    .locator('li')
    .filter({ has: page.locator('summary') })
    .first()
    .getByText(text)
    .waitFor()

/** The provider's id of the seller's payout that is on its way. */
async function payoutAtProvider(seller) {
  const { amount } = await eventually('a payout is on its way', async () => {
    const { payouts } = await overviewOf(seller)
    return payouts[0]?.status === 'in_transit' ? payouts[0] : null
  })
  const cents = Math.round(Number(amount) * 100)
  const found = (await control('GET', '/payouts')).find(each => each.amount === cents && each.status === 'in_transit')
  assert.ok(found, 'the provider has the payout')
  return found.id
}

/** Names another bank account in the provider's form, and comes back to the profile. */
async function addBank(page) {
  await page.goto('/profile?tab=payments')
  await page.getByRole('button', { name: /^(Update|Change) Payout Account$/ }).click()
  await page.getByLabel('Account holder').fill('Theo Marchetti')
  await page.getByLabel('Account number').fill(SLOW_BANK)
  await page.getByRole('button', { name: /^Save/ }).click()
  await page.getByText('Payouts go into this account.').waitFor()
}

/** The mails about changes of a seller's payout account, newest first. The demo has changed it, too. */
const mailsAboutChanges = async ({ email }) =>
  (await mailsTo(email)).filter(({ subject }) => subject === 'Your payout account was changed')

/** Waits for a further mail besides those that are known, and confirms with its link that the seller has named the bank account. */
async function confirmBank(page, seller, known) {
  const mails = await eventually('the change is mailed', async () => {
    const found = await mailsAboutChanges(seller)
    return found.length > known ? found : null
  })
  await page.goto(linkIn(mails[0]))
  await page.getByRole('button', { name: 'This Is My Bank Account' }).click()
  await page.getByText('Your payout account is confirmed').waitFor()
  await page.goto('/profile?tab=payments')
  await page.getByText('Your payout account was changed a short time ago').waitFor({ state: 'detached' })
}
