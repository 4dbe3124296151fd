import assert from 'node:assert/strict'
import { Deal, listingBody, moves, trackingNumber } from '../support/deal.js'
import { Person } from '../support/person.js'
import { journey } from '../support/runner.js'
import { payWith } from './card.js'
import { bellSays, showsDeal, toDeal } from './deal-page.js'
import { chooseCounterparty, fillItem, signAndCreate } from './listing-wizard.js'
import { UNKNOWN_PARCEL, withBrowsers } from './visit.js'

const button = (page, name) => page.getByRole('button', { name, exact: true })

/** What people do with listings: an owner changes one, and a buyer makes one for a seller. */
export const listingJourneys = browser => [
  journey('a seller lists an item that is off sale as new, once, and signs for it', async () => {
    const seller = await Person.signUp('Lia')
    const old = await seller.expect(201, 'POST', '/api/listings', { body: listingBody() })
    await seller.expect(204, 'DELETE', `/api/listings/${old.id}`)
    await withBrowsers(browser, 'relist', [{ person: seller, width: 390 }], async ({ page }) => {
      await page.goto(`/listing/${old.id}`)
      await button(page, 'List as New').click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Digital Signature').waitFor()
      for (const box of await dialog.getByRole('checkbox').all()) await box.check()
      await dialog.getByLabel('Digital Signature').fill('Lia Tester')
      await dialog.getByRole('button', { name: 'List as New' }).click()
      await page.waitForURL(url => url.pathname.startsWith('/listing/') && !url.pathname.endsWith(`/${old.id}`))
      await page.getByText('It is on sale: everybody can find it and buy it.').waitFor()
      await page.goto(`/listing/${old.id}`)
      await page.getByText('You have listed this item again.').waitFor()
      await page.getByRole('link', { name: 'View the New Listing' }).click()
      await button(page, 'Take off Sale').waitFor()
    })
  }),

  journey(
    'a seller edits a listing, with mistakes first, and a buyer who saw the old price is asked to look again',
    async () => {
      const [buyer, seller] = await Promise.all([Person.signUp('Bea'), Person.signUp('Sam')])
      const listing = await seller.expect(201, 'POST', '/api/listings', { body: listingBody() })
      const path = `/listing/${listing.id}`
      const both = [{ person: buyer, refused: ['409: POST /api/transactions'] }, { person: seller }]
      await withBrowsers(browser, 'edit', both, async ({ page: buyersPage }, { page: owner }) => {
        await Promise.all([buyersPage, owner].map(page => page.goto(path)))
        await buyersPage.getByText('$120.00', { exact: true }).first().waitFor()
        await editWithMistakes(owner)
        const before = await buyer.expect(200, 'GET', `/api/listings/${listing.id}`)
        assert.deepEqual(
          [before.title, before.price],
          [listing.title, '120.00'],
          'nothing is saved while mistakes are shown',
        )
        await owner.getByLabel('Title').fill('Brass sextant, without its box')
        await owner.getByLabel('Price (USD)').fill('95.50')
        await owner.getByLabel('Inspection Period').selectOption('5')
        await button(owner, 'Save Changes').click()
        await owner.getByText('Accept the three agreements and type your full legal name', { exact: true }).waitFor()
        for (const box of await owner.getByRole('dialog').getByRole('checkbox').all()) await box.check()
        await owner.getByLabel('Digital Signature').fill('Sam Tester')
        await button(owner, 'Save Changes').click()
        await owner.getByText('Listing saved').first().waitFor()
        await owner.getByRole('heading', { name: 'Brass sextant, without its box', level: 1 }).waitFor()
        const { title, price, inspectionPeriod, status } = await buyer.expect(200, 'GET', `/api/listings/${listing.id}`)
        assert.deepEqual(
          [title, price, inspectionPeriod, status],
          ['Brass sextant, without its box', '95.50', 5, 'active'],
        )

        await button(buyersPage, 'Buy with Escrow Protection').click()
        const refused = buyersPage.getByRole('alert').filter({ hasText: 'The price of this listing has changed.' })
        await refused.getByText('This attempt opened no transaction and charged nothing.').waitFor()
        for (const text of ['$95.50', '5 days of escrow protection after delivery'])
          await buyersPage.getByText(text, { exact: true }).first().waitFor()
        await button(buyersPage, 'Buy with Escrow Protection').click()
        await buyersPage.waitForURL('**/send-funds/*')
        // 95.50, 2 % of it, and 5.00.
        await button(buyersPage, 'Pay $102.41').waitFor()
        await bellSays(owner, 'New transaction', 'A buyer wants “Brass sextant, without its box” at $95.50.')
        await owner.getByText('A transaction holds it.').waitFor()
        assert.equal(await button(owner, 'Edit').count(), 0, 'what was sold can no longer be edited')
        const [deal] = await seller.expect(200, 'GET', '/api/transactions')
        assert.deepEqual([deal.amount, deal.money.buyerTotal, deal.status], ['95.50', '102.41', 'pending'])
      })
    },
  ),

  journey(
    'a buyer makes a deal with a seller of their choice and pays, and the seller accepts by shipping',
    async () => {
      const [buyer, seller] = await Promise.all([Person.signUp('Bea'), Person.signUp('Sam')])
      await withBrowsers(
        browser,
        'create-as-buyer',
        [
          { person: buyer, mayRefuse: [UNKNOWN_PARCEL] },
          { person: seller, mayRefuse: [UNKNOWN_PARCEL] },
        ],
        async ({ page: buyersPage }, { page: sellersPage }) => {
          await sellersPage.goto('/dashboard?tab=selling')
          await createAsBuyer(buyersPage, seller)
          await bellSays(
            sellersPage,
            'New transaction',
            'A buyer has named you as the seller of “Brass sextant in its box” at $120.00.',
          )
          const [{ id, listing }] = await seller.expect(200, 'GET', '/api/transactions')
          const deal = new Deal(id, buyer, seller, listing)
          await Promise.all([sellersPage, buyersPage].map(page => toDeal(page, deal)))
          for (const { page, by, whose, turn } of [
            { page: buyersPage, by: 'by you', whose: 'You', turn: /^Your turn: pay by / },
            { page: sellersPage, by: 'by Bea', whose: 'Bea', turn: /^Waiting for Bea to pay, .+ left$/ },
          ])
            await showsDeal(page, {
              status: 'Pending',
              money: `$127.40 is not sent yet, with the buyer (${whose})`,
              turn,
              history: `The transaction was opened. (${by})`,
            })
          await button(sellersPage, 'Decline Transaction').waitFor()
          const opened = await deal.seenBy(buyer)
          assert.deepEqual([opened.openedBy, opened.seller.email, opened.status], ['buyer', null, 'pending'])

          await buyersPage.getByRole('link', { name: 'Send Funds' }).click()
          await payWith(buyersPage, '4242 4242 4242 4242')
          await buyersPage.waitForURL(`**/transaction/${id}`)
          await bellSays(
            sellersPage,
            'Payment held',
            'is held. Accept by shipping within 7 days, or decline with a refund.',
          )
          for (const { page, turn } of [
            { page: buyersPage, turn: /^Waiting for Sam to accept and ship, .+ left$/ },
            { page: sellersPage, turn: /^Your turn: ship or decline by / },
          ])
            await showsDeal(page, {
              status: 'Paid',
              money: '$127.40 is held by Holdfast',
              turn,
              history: 'The buyer’s payment arrived and is held. (by the payment provider)',
            })
          assert.equal(
            (await deal.seenBy(buyer)).seller.email,
            null,
            'a seller who has not acted is not known by e-mail',
          )

          const number = trackingNumber()
          await ship(sellersPage, number)
          await bellSays(
            buyersPage,
            'Item shipped',
            `“Brass sextant in its box” is on its way, tracking number ${number}.`,
          )
          await showsDeal(buyersPage, {
            status: 'Shipped',
            money: '$127.40 is held by Holdfast',
            turn: 'On its way to you',
            history: 'The seller shipped the item. (by Sam)',
          })
          const shipped = await deal.seenBy(buyer)
          assert.deepEqual([shipped.status, shipped.seller.email], ['shipped', seller.email])
          assert.deepEqual(moves(await deal.ledgerFor(seller)), ['provider_clearing → hold 127.40'])
        },
      )
    },
  ),
]

async function editWithMistakes(page) {
  await button(page, 'Edit').click()
  await page.getByLabel('Title').fill('  ')
  await page.getByLabel('Price (USD)').fill('0')
  await button(page, 'Save Changes').click()
  for (const fault of ['Enter a title', 'Enter a price above zero'])
    await page.getByText(fault, { exact: true }).waitFor()
  await page.getByLabel('Price (USD)').fill('12,5x')
  await button(page, 'Save Changes').click()
  await page.getByText(/^Write the amount like 3,000.00/).waitFor()
  await page.getByLabel('Price (USD)').fill('3.000')
  await button(page, 'Save Changes').click()
  await page.getByText('This can be read as $3.00 or as $3,000.00. Write 3.00 or 3,000.00.', { exact: true }).waitFor()
}

/** Goes through the wizard as buyer: first without a seller, which is refused, and then with one. */
async function createAsBuyer(page, seller) {
  await page.goto('/create-listing')
  await button(page, 'Skip This Step').click()
  await page.getByRole('radio', { name: 'Buyer' }).check()
  await fillItem(page, listingBody())
  await button(page, 'Continue to Legal Documents').click()
  await page.getByText('Choose the seller first: as a buyer you need a counterparty.', { exact: true }).waitFor()
  await button(page, 'Choose the Seller').click()
  await chooseCounterparty(page, seller)
  await page.getByText('Sam Tester sells to you, and you pay into the hold.', { exact: true }).waitFor()
  await button(page, 'Continue to Legal Documents').click()
  await page.getByText('I describe the item as the seller offers it to me and may lawfully buy it.').waitFor()
  await signAndCreate(page, 'Bea Tester')
  await page.getByText('It is open. Send the funds, and the seller can ship.').first().waitFor()
  await page.waitForURL('**/dashboard?tab=buying')
  await page.getByText('You pay $127.40').waitFor()
}

async function ship(page, number) {
  await page.getByRole('link', { name: 'Ship Item' }).click()
  await page.getByLabel(/Tracking Number/).fill(number)
  await button(page, 'Save Tracking Info').click()
  await page.getByText('Tracking Updated').first().waitFor()
}
