import assert from 'node:assert/strict'
import { listingBody } from '../support/deal.js'
import { matchOf } from '../support/match.js'
import { PASSWORD, Person } from '../support/person.js'
import { journey } from '../support/runner.js'
import { confirmAddress, mailAbout } from '../support/sandbox.js'
import { withBrowsers } from './visit.js'

/** Invitations to a private listing, from the seller's page to the purchase. */
export const invitationJourneys = browser => [
  journey(
    'a seller invites a person by mail, who confirms the address, accepts and buys; nobody else can',
    async () => {
      const [seller, buyer, stranger] = await Promise.all(['Ines', 'Bo', 'Ute'].map(name => Person.signUp(name)))
      const listing = await seller.expect(201, 'POST', '/api/listings', { body: listingBody({ isPrivate: true }) })
      const refused = [/^403: POST \/api\/invitation\/[\w-]+\/accept$/]
      await withBrowsers(
        browser,
        'invitation',
        [{ person: seller }, { refused }],
        async ({ page }, { page: invited }) => {
          await page.goto(`/listing/${listing.id}`)
          await page.getByLabel('E-mail address').fill(buyer.email)
          await page.getByLabel('Message').fill('As we said on the phone.')
          await page.getByRole('button', { name: 'Invite', exact: true }).click()
          await page.getByText('The link of this invitation').waitFor()
          await page.getByText('Not accepted yet').waitFor()

          const mail = await mailAbout(buyer.email, 'You are invited to buy something on Holdfast')
          const link = matchOf(/https?:\/\/\S+\/invitation\/\S+/, mail.text)
          const accepting = `/api${new URL(link).pathname}/accept`
          await invited.goto(link)
          await invited.getByText('As we said on the phone.').waitFor()
          await invited.getByRole('link', { name: 'Accept Invitation' }).click()
          await invited.getByLabel('Email').fill(buyer.email)
          await invited.getByLabel('Password').fill(PASSWORD)
          await invited.locator('form').getByRole('button', { name: 'Sign In' }).click()
          const accept = invited.getByRole('button', { name: 'Accept Invitation' })
          await accept.click()
          await invited.getByText('Please confirm your e-mail address first.').first().waitFor()
          await confirmAddress(buyer)
          await accept.click()
          await invited.getByText('You can see the listing now.').waitFor()
          await invited.waitForURL(`**/listing/${listing.id}`)
          await invited.getByRole('button', { name: 'Buy with Escrow Protection' }).waitFor()

          const { status } = await stranger.call('POST', accepting)
          assert.equal(status, 410)
          await stranger.refused(404, 'LISTING_NOT_FOUND', 'GET', `/api/listings/${listing.id}`)
          const purchase = { listingId: listing.id, amount: listing.price }
          await stranger.refused(404, 'LISTING_NOT_FOUND', 'POST', '/api/transactions', { body: purchase })
          await page.reload()
          await page.getByText('Bo Tester (@').waitFor()
          await buyer.expect(201, 'POST', '/api/transactions', { body: purchase })
        },
      )
    },
  ),
]
