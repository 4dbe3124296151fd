import { Deal } from '../support/deal.js'
import { journey } from '../support/runner.js'
import { bellSays } from './deal-page.js'
import { withBrowsers } from './visit.js'

/** What the parties of a completed deal say about each other. */
export const reviewJourneys = browser => [
  journey('a buyer reviews the seller, who is told, and everyone reads it on the page of the seller', async () => {
    const deal = await Deal.at('completed')
    const { buyer, seller, listing } = deal
    const visits = [{ person: buyer }, { person: seller, width: 390 }, {}]
    await withBrowsers(browser, 'review', visits, async ({ page: buying }, { page: selling }, { page: anyone }) => {
      await buying.goto(`/transaction/${deal.id}`)
      await buying.getByRole('button', { name: 'Publish Review' }).click()
      await buying.getByText('Choose 1 to 5 stars').waitFor()
      await buying.getByRole('radio', { name: '4' }).check()
      await buying.getByLabel('Your words').fill('Quick and friendly.')
      await buying.getByRole('button', { name: 'Publish Review' }).click()
      await buying.getByText('Quick and friendly.').waitFor()
      await buying.getByRole('button', { name: 'Publish Review' }).waitFor({ state: 'detached' })

      await selling.goto(`/transaction/${deal.id}`)
      await bellSays(selling, 'New review', `The buyer of “${listing.title}” gave you 4 of 5 stars.`)

      await anyone.goto(`/seller/${seller.username}`)
      await anyone.getByText('Quick and friendly.').waitFor()
      await anyone.getByRole('img', { name: '4 of 5 stars' }).waitFor()
      await anyone.getByText('4.0 of 5').waitFor()
    })
  }),
]
