import assert from 'node:assert/strict'
import { Deal, listingBody } from '../support/deal.js'
import { eventually } from '../support/eventually.js'
import { Person } from '../support/person.js'
import { journey } from '../support/runner.js'
import { bellSays, command, showsDeal, toDeal } from './deal-page.js'
import { chooseCounterparty, fillItem, signAndCreate } from './listing-wizard.js'
import { withBrowsers } from './visit.js'

/**
 * The ways in which a party ends a deal before the payment. `opened` says how the deal came to be: a buyer bought what was on
 * sale, or a seller made an offer to one buyer. `at` is the page that the other party has open. `leaves` is the status of the
 * listing afterwards: what was offered to one person is not put on sale for everybody.
 */
const ENDINGS = [
  { opened: 'bought', by: 'buyer', button: 'Cancel Transaction', at: id => `/transaction/${id}`, leaves: 'active' },
  { opened: 'bought', by: 'seller', button: 'Decline Transaction', at: id => `/send-funds/${id}`, leaves: 'active' },
  { opened: 'offered', by: 'seller', button: 'Cancel Transaction', at: id => `/transaction/${id}`, leaves: 'inactive' },
  {
    opened: 'offered',
    by: 'buyer',
    button: 'Decline Transaction',
    at: id => `/item-shipped/${id}`,
    leaves: 'inactive',
  },
]
const OTHER = { buyer: 'seller', seller: 'buyer' }
/** The answers about a deal that is gone. */
const GONE = /^404: GET \/api\/transactions\/\d+(\/\w+)?(\?.*)?$/

/** What the parties do before the payment, and what each of them sees of it. */
export const unpaidDealJourneys = browser => [
  journey(
    'each party can end an unpaid deal, however it was opened, and the other sees at once that it is gone',
    async () => {
      const [buyer, seller] = await Promise.all([Person.signUp('Bea'), Person.signUp('Sam')])
      const both = [
        { person: buyer, refused: [GONE] },
        { person: seller, refused: [GONE] },
      ]
      await withBrowsers(browser, 'cancel', both, async ({ page: buyersPage }, { page: sellersPage }) => {
        const pages = { buyer: buyersPage, seller: sellersPage }
        for (const ending of ENDINGS) await endsFor(pages, await openDeal(ending, { buyer, seller }), ending)
        for (const page of [buyersPage, sellersPage]) {
          await page.goto('/dashboard?tab=buying')
          await page.getByText('No Purchases Yet', { exact: true }).waitFor()
        }
      })
    },
  ),

  journey('a person declines an offer and blocks its maker, who is then told that they can make no other', async () => {
    const [buyer, seller] = await Promise.all([Person.signUp('Bea'), Person.signUp('Eve')])
    const deal = await offerTo(buyer, seller)
    const both = [
      { person: buyer, refused: [GONE] },
      { person: seller, refused: ['403: POST /api/listings'] },
    ]
    await withBrowsers(browser, 'decline-and-block', both, async ({ page: named }, { page: maker }) => {
      await named.goto('/dashboard')
      await bellSays(named, 'New transaction', `A seller offers you “${deal.listing.title}” at $120.00 plus fees.`)
      await toDeal(named, deal)
      await showsDeal(named, {
        status: 'Pending',
        money: '$127.40 is not sent yet, with the buyer (You)',
        turn: /^Your turn: pay or decline by /,
        history: 'The transaction was opened. (by Eve)',
      })
      // The maker finds the other one in the search before the block.
      await maker.goto('/create-listing')
      await chooseCounterparty(maker, buyer)
      await command(named, 'Block Eve', {
        asks: [
          'Block Eve?',
          'Eve can open no new transaction with you, does not find you in the search, and can mail you no invitation.',
        ],
        confirm: 'Block Eve',
      })
      await named.getByText('Eve is blocked').first().waitFor()
      await command(named, 'Decline Transaction', { asks: 'Decline this transaction?', confirm: 'Decline Transaction' })
      await named.waitForURL('**/dashboard')
      await makeAnotherOffer(maker)
      assert.deepEqual(
        await buyer.expect(200, 'GET', '/api/transactions'),
        [],
        'the declined deal is gone, with no other',
      )

      await named.goto('/profile')
      await named.getByText('Eve Tester').waitFor()
      await named.getByRole('button', { name: 'Unblock Eve', exact: true }).click()
      await named.getByText('Unblocked', { exact: true }).waitFor()
      await named.getByRole('button', { name: 'Unblock Eve', exact: true }).waitFor({ state: 'detached' })
      assert.deepEqual(await buyer.expect(200, 'GET', '/api/users/blocked'), [])
    })
    await offerTo(buyer, seller)
  }),
]

const openDeal = ({ opened }, { buyer, seller }) =>
  opened === 'bought' ? Deal.open({}, { buyer, seller }) : offerTo(buyer, seller)

/** A deal that a seller opens with the buyer of their choice. */
async function offerTo(buyer, seller) {
  const body = listingBody({ userRole: 'seller', selectedUserId: buyer.id })
  const listing = await seller.expect(201, 'POST', '/api/listings', { body })
  return new Deal(listing.transaction.id, buyer, seller, listing)
}

/** One party ends the deal on its page. The other, who has it open as well, sees that it is gone, and so does the server. */
async function endsFor(pages, deal, { by, button, at, leaves }) {
  const [acting, watching] = [pages[by], pages[OTHER[by]]]
  const path = at(deal.id)
  // The payment page prepares the payment by itself. Later, the deal would refuse that: it is gone.
  const prepared = path.startsWith('/send-funds/')
    ? watching.waitForResponse(answer => new URL(answer.url()).pathname === `${deal.path}/payments`)
    : null
  await Promise.all([toDeal(acting, deal), watching.goto(path), prepared])
  await watching.getByText(deal.listing.title).first().waitFor()
  await command(acting, button, {
    asks: [
      /^(Cancel|Decline) this transaction\?$/,
      'This is possible only before it is paid. Money that is on its way comes back whole.',
    ],
    confirm: button,
  })
  await acting.getByText('Transaction has been cancelled and removed').first().waitFor()
  await acting.waitForURL('**/dashboard')
  await watching.getByRole('heading', { name: 'This transaction was cancelled' }).waitFor()
  await watching.getByText('It ended before it was paid, so no money is held for it.').waitFor()
  await bellSays(watching, 'Transaction cancelled', `“${deal.listing.title}” is cancelled. No money is held for it.`)
  for (const person of [deal.buyer, deal.seller]) {
    await person.refused(404, 'TRANSACTION_NOT_FOUND', 'GET', deal.path)
    assert.deepEqual(await person.expect(200, 'GET', '/api/transactions'), [])
  }
  await eventually(`the listing is ${leaves}`, async () => {
    const { status } = await deal.seller.expect(200, 'GET', `/api/listings/${deal.listing.id}`)
    return status === leaves
  })
}

/** The maker of an offer goes through the wizard once more, and reads there why it opens nothing. */
async function makeAnotherOffer(page) {
  await fillItem(page, listingBody())
  await page.getByRole('button', { name: 'Continue to Legal Documents' }).click()
  await signAndCreate(page, 'Eve Tester')
  const notice = page.getByRole('alert').filter({ hasText: 'The server did not accept it' })
  await notice.getByText('You cannot open a transaction with this person.').waitFor()
}
