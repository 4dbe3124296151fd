import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { Deal, moves } from '../support/deal.js'
import { findMediator } from '../support/demo.js'
import { BASE_URL } from '../support/environment.js'
import { eventually } from '../support/eventually.js'
import { Person } from '../support/person.js'
import { png } from '../support/picture.js'
import { journey } from '../support/runner.js'
import { bellSays, command } from './deal-page.js'
import { reachByTab } from './keyboard.js'
import { keepPicture, see, UNKNOWN_PARCEL, withBrowsers } from './visit.js'

/** What the ledger of a deal for $120.00 shows after $40.00 of it went back to the buyer. */
const CHARGE = 'provider_clearing → hold 127.40'
const SPLIT = ['hold → refund_due 40.00', 'hold → seller_payable 78.80', 'hold → revenue 8.60']

const PICTURE = { name: 'box.png', mimeType: 'image/png', buffer: png(60, 40, [125, 47, 38]) }

/** What the parties and a mediator do with a dispute on the page of its case. Nothing is reloaded: changes appear by themselves. */
export const disputeCaseJourneys = browser => [
  journey(
    'a dispute is answered with evidence and settled between two browsers, and both ledgers show every cent',
    async () => {
      const deal = await disputed()
      const people = [{ person: deal.buyer }, { person: deal.seller }].map(who => ({
        ...who,
        mayRefuse: [UNKNOWN_PARCEL],
      }))
      await withBrowsers(browser, 'settlement', people, async ({ page: buyer }, { page: seller }) => {
        await buyer.goto(`/disputes/${deal.disputeId}`)
        await see(buyer, /^Sam has until .+ to answer$/)
        await seller.goto('/dashboard')
        await see(seller, /^Your turn: answer by /)
        await keepPicture(seller, 'dashboard-disputed')
        await bellSays(seller, 'Dispute opened', 'A dispute was filed.', `/disputes/${deal.disputeId}`)
        await seller.goto('/disputes')
        await seller.getByRole('link', { name: 'Open the Case' }).click()
        await see(seller, /^Your turn: answer by /)
        await seller.getByLabel('Your answer').fill('It was whole when I packed it.')
        await seller.getByLabel('Add Images').setInputFiles(PICTURE)
        await seller.getByRole('button', { name: 'Remove image 1' }).waitFor()
        await seller.getByRole('button', { name: 'Send Answer', exact: true }).click()
        await see(seller, 'Evidence added')
        await see(buyer, 'It was whole when I packed it.')
        await see(buyer, 'Sam (seller)')
        await buyer.getByRole('button', { name: 'Enlarge picture 1 of entry 1' }).click()
        await buyer.getByRole('dialog', { name: 'Picture 1 of 1' }).waitFor()
        await buyer.keyboard.press('Escape')

        await buyer.getByLabel('What you get back').fill('40')
        await see(buyer, 'You get $40.00 back, Sam gets $78.80, and the fees are $8.60.')
        await buyer.getByRole('button', { name: 'Propose Settlement', exact: true }).click()
        await see(seller, 'Bea proposes')
        await see(seller, 'Your turn: answer Bea’s proposal')
        await see(seller, 'Bea gets $40.00 back, you get $78.80, and the fees are $8.60.')
        await keepPicture(seller, 'case-proposal')
        await command(seller, 'Accept', { asks: 'Accept this settlement?', confirm: 'Accept and Settle' })
        for (const page of [buyer, seller])
          await see(page, /^Settled: \$40\.00 of the price that was held goes back to (you|Bea)$/)
      })
      await pictureIsPrivate(deal)
      await splitIsPosted(deal)
    },
  ),

  journey(
    'a mediator takes a case and rules on it by keyboard alone; both parties waive, and the money moves at once',
    async () => {
      const [deal, mediator] = await Promise.all([disputed(), findMediator()])
      await deal.seller.expect(201, 'POST', `/api/disputes/${deal.disputeId}/evidence`, {
        body: { note: 'It was whole.' },
      })
      await withBrowsers(
        browser,
        'ruling',
        [{ person: mediator }, { person: deal.buyer, mayRefuse: [UNKNOWN_PARCEL] }],
        async ({ page: desk }, { page: buyer }) => {
          await buyer.goto(`/disputes/${deal.disputeId}`)
          await see(buyer, /^A mediator looks at it by /)
          await desk.goto('/admin/disputes')
          await openRow(desk, deal.disputeId)
          await see(desk, /^Your turn: take the case by /)
          await reachByTab(desk, 'link', 'Take the Case')
          await desk.keyboard.press('Enter')
          await reachByTab(desk, 'textbox', /^Notes/)
          await desk.keyboard.type('I look at the pictures first.')
          await reachByTab(desk, 'button', 'Take the Case')
          await desk.keyboard.press('Enter')
          await see(desk, /^Your turn: rule by /)
          await see(buyer, 'I look at the pictures first.')
          await see(buyer, 'Taken by a mediator')
          await see(desk, 'Taken by you')

          await reachByTab(desk, 'radio', /^Full refund/)
          await desk.keyboard.press('ArrowDown')
          await reachByTab(desk, 'textbox', 'What Bea gets back')
          await desk.keyboard.type('40')
          await reachByTab(desk, 'textbox', 'Reasons')
          await desk.keyboard.type('The glass can be replaced for $40.00.')
          await see(desk, 'Bea gets $40.00 back, Sam gets $78.80, and the fees are $8.60.')
          await keepPicture(desk, 'case-ruling-form')
          await reachByTab(desk, 'button', 'Review the Ruling')
          await desk.keyboard.press('Enter')
          await see(desk, 'Record this ruling?')
          await keepPicture(desk, 'case-ruling-question')
          await reachByTab(desk, 'button', 'Record the Ruling')
          await desk.keyboard.press('Enter')
          await see(desk, /^The ruling is final on /)

          await see(buyer, /^You can appeal until /)
          await see(buyer, 'The glass can be replaced for $40.00.')
          await deal.seller.expect(200, 'POST', `/api/disputes/${deal.disputeId}/waive`)
          await see(buyer, 'Sam has given up the right to appeal.')
          await command(buyer, 'Waive My Right to Appeal', {
            asks: 'Sam has given it up already: the ruling is carried out at once.',
            confirm: 'Waive My Right',
          })
          await see(buyer, 'Closed: the ruling was carried out')
        },
      )
      await splitIsPosted(deal)
    },
  ),
]

/** A shipped deal whose buyer has filed a dispute. */
async function disputed() {
  const deal = await Deal.at('shipped')
  const body = { transactionId: deal.id, reason: 'damaged_item', description: 'The glass is cracked.' }
  const { id } = await deal.buyer.expect(201, 'POST', '/api/disputes', { body })
  deal.disputeId = id
  return deal
}

/** Opens a dispute of the queue with the keys that move through its rows. */
async function openRow(page, disputeId) {
  await page.getByRole('list', { name: 'Disputes' }).waitFor()
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('href'))
  for (let last = null; ; last = await focused()) {
    await page.keyboard.press('j')
    const href = await focused()
    if (href === `/disputes/${disputeId}`) break
    assert.notEqual(href, last, `dispute ${disputeId} is in the queue`)
  }
  await page.keyboard.press('Enter')
}

/** The picture has the hash of its entry. A stranger gets it under no address, and a party not under that of a listing's picture. */
async function pictureIsPrivate({ buyer, disputeId }) {
  const { evidence } = await buyer.expect(200, 'GET', `/api/disputes/${disputeId}`)
  const [{ url, sha256 }] = evidence[0].images
  const shown = await fetch(BASE_URL + url, { headers: { cookie: buyer.cookie } })
  const bytes = Buffer.from(await shown.arrayBuffer())
  assert.equal(createHash('sha256').update(bytes).digest('hex'), sha256)
  assert.equal(shown.headers.get('cache-control'), 'private, no-store')
  const stranger = await Person.signUp('Eve')
  await stranger.refused(404, 'NOT_FOUND', 'GET', url)
  await buyer.refused(404, 'NOT_FOUND', 'GET', `/api/images/${sha256}`)
}

async function splitIsPosted(deal) {
  for (const person of [deal.buyer, deal.seller]) {
    await eventually(
      'the settlement is in the ledger',
      async () => (await deal.ledgerFor(person)).length >= 1 + SPLIT.length,
    )
    const posted = moves(await deal.ledgerFor(person)).slice(0, 1 + SPLIT.length)
    assert.deepEqual([posted[0], ...posted.slice(1).toSorted()], [CHARGE, ...SPLIT.toSorted()])
  }
}
