import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { Deal, trackingNumber } from '../support/deal.js'
import { findMediator } from '../support/demo.js'
import { png } from '../support/picture.js'
import { journey } from '../support/runner.js'
import { moveParcel } from '../support/sandbox.js'
import { command, toDeal } from './deal-page.js'
import { bothLedgersShow, CHARGE, toCase } from './dispute-page.js'
import { fileDispute, onlyDisputeOf } from './file-dispute.js'
import { keepPicture, see, UNKNOWN_PARCEL, withBrowsers } from './visit.js'

const REFUNDED = ['hold → refund_due 127.40', 'refund_due → provider_clearing 127.40']
const PICTURE = { name: 'mirror.png', mimeType: 'image/png', buffer: png(60, 40, [47, 74, 64]) }

/** How disputes end that the parties do not settle: by an appeal, or by a return. */
export const disputeEndJourneys = browser => [
  journey(
    'a dispute is filed, answered, ruled on and appealed; another mediator decides, and both ledgers show every cent',
    async () => {
      const [deal, first, second] = await Promise.all([Deal.at('shipped'), findMediator(), findMediator('noor')])
      const people = [
        { person: deal.buyer, width: 390, mayRefuse: [UNKNOWN_PARCEL] },
        { person: deal.seller, mayRefuse: [UNKNOWN_PARCEL] },
        { person: second },
      ]
      await withBrowsers(browser, 'appeal', people, async ({ page: buyer }, { page: seller }, { page: desk }) => {
        await toDeal(buyer, deal)
        await fileDispute(buyer, deal)
        deal.disputeId = (await onlyDisputeOf(deal)).id
        await toCase(seller, deal)
        await see(seller, /^Your turn: answer by /)
        await seller.getByLabel('Your answer').fill('The mirror was whole when I packed it.')
        await seller.getByRole('button', { name: 'Send Answer', exact: true }).click()
        await toCase(buyer, deal)
        await see(buyer, 'The mirror was whole when I packed it.')
        await buyer.getByLabel('Add evidence').fill('The crack, and the box that was not damaged.')
        await buyer.getByLabel('Add Images').setInputFiles(PICTURE)
        await buyer.getByRole('button', { name: 'Remove image 1' }).waitFor()
        await buyer.getByRole('button', { name: 'Add Evidence', exact: true }).click()
        await see(seller, 'The crack, and the box that was not damaged.')

        await rule(deal, first, {
          outcome: 'seller_favor',
          resolution: 'Nothing shows that it left the seller broken.',
        })
        await see(seller, /^You can appeal until /)
        await see(buyer, 'Nothing shows that it left the seller broken.')
        await buyer.getByRole('button', { name: 'Appeal', exact: true }).click()
        const appeal = buyer.getByRole('dialog', { name: 'Appeal against the ruling?' })
        await appeal.getByLabel('Why is the ruling wrong?').fill('The box has no dent, so it broke before.')
        await appeal.getByRole('button', { name: 'Appeal', exact: true }).click()
        for (const page of [buyer, seller]) await see(page, /^A mediator makes the final decision by /)
        await keepPicture(buyer, 'case-appealed')
        await ruling(deal, first, 403, { outcome: 'seller_favor', resolution: 'I decide again.' })

        await toCase(desk, deal)
        await see(desk, /^Your turn: make the final decision by /)
        await see(desk, 'The box has no dent, so it broke before.')
        await desk.getByRole('radio', { name: /^Partial refund/ }).check()
        await desk.getByLabel('What Bea gets back').fill('60')
        await desk.getByLabel('Reasons').fill('A box without a dent cannot break a mirror. The rest of it is whole.')
        await see(desk, 'Bea gets $60.00 back, Sam gets $59.10, and the fees are $8.30.')
        await keepPicture(desk, 'case-second-ruling')
        await command(desk, 'Review the Final Decision', {
          asks: ['Record this final decision?', 'the money moves at once', '$59.10'],
          confirm: 'Record the Final Decision',
        })
        for (const page of [buyer, seller]) await see(page, 'Closed: the ruling was carried out')
        await see(buyer, /It can take 5 to 10 days to arrive/)
        await keepPicture(buyer, 'case-decided')
      })
      await bothLedgersShow(deal, [
        CHARGE,
        'hold → refund_due 60.00',
        'hold → seller_payable 59.10',
        'hold → revenue 8.30',
        'refund_due → provider_clearing 60.00',
      ])
    },
  ),

  journey(
    'a buyer sends the item back: the carrier says that it arrived, the seller confirms it, and everything is refunded',
    async () => {
      const deal = await toReturn()
      const people = [{ person: deal.buyer, width: 390 }, { person: deal.seller }].map(who => ({
        ...who,
        mayRefuse: [UNKNOWN_PARCEL],
      }))
      await withBrowsers(browser, 'return', people, async ({ page: buyer }, { page: seller }) => {
        await toCase(seller, deal)
        await see(seller, /^Bea has until .+ to send the item back$/)
        await toCase(buyer, deal)
        await see(buyer, /^Your turn: send the item back by /)
        const number = trackingNumber()
        await buyer.getByLabel('Tracking Number').fill(number)
        await buyer.getByRole('button', { name: 'I Have Sent It Back', exact: true }).click()
        for (const page of [buyer, seller]) await see(page, /^The item is on its way back and must arrive by /)
        await seller.getByText('Something has arrived already').waitFor()
        await keepPicture(buyer, 'case-return-sent')
        await moveParcel(number, 'delivered')
        await see(seller, /^Your turn: look at what came back by /)
        await see(buyer, /^Sam has until .+ to look at what came back$/)
        await keepPicture(seller, 'case-return-check')
        await command(seller, 'The Item Is Back', {
          asks: ['Is the item back with you?', 'Back to Bea'],
          confirm: 'It Is Back, Refund in Full',
        })
        for (const page of [buyer, seller]) await page.getByRole('region', { name: 'How it ended' }).waitFor()
        await see(buyer, /It can take 5 to 10 days to arrive/)
        await keepPicture(buyer, 'case-returned')
      })
      await bothLedgersShow(deal, [CHARGE, ...REFUNDED])
    },
  ),

  journey(
    'a return is ordered, sent back and delivered; the seller contests it with evidence, and another mediator splits the money finally',
    async () => {
      const [deal, first, second] = await Promise.all([answered(), findMediator(), findMediator('noor')])
      const mayRefuse = [UNKNOWN_PARCEL]
      const people = [
        { person: deal.buyer, width: 390, mayRefuse },
        { person: deal.seller, width: 390, mayRefuse },
        { person: first },
        { person: second },
      ]
      await withBrowsers(browser, 'contest', people, async (...opened) => {
        const [buyer, seller, desk, otherDesk] = opened.map(({ page }) => page)
        await toCase(desk, deal)
        await desk
          .getByRole('radio', { name: /^Return\/exchange The buyer sends the item back within 14 days/ })
          .check()
        await desk.getByLabel('Reasons').fill('Both sides agree that it goes back.')
        await command(desk, 'Review the Ruling', { asks: 'Record this ruling?', confirm: 'Record the Ruling' })
        await toCase(buyer, deal)
        await see(buyer, 'Both sides agree that it goes back.')
        await deal.seller.expect(200, 'POST', `/api/disputes/${deal.disputeId}/waive`)
        await see(buyer, 'Sam has given up the right to appeal.')
        await command(buyer, 'Waive My Right to Appeal', { asks: /at once/, confirm: 'Waive My Right' })
        await see(buyer, /^Your turn: send the item back by /)
        const number = trackingNumber()
        await buyer.getByLabel('Tracking Number').fill(number)
        await buyer.getByRole('button', { name: 'I Have Sent It Back', exact: true }).click()
        await see(buyer, /^The item is on its way back and must arrive by /)
        await toCase(seller, deal)
        await moveParcel(number, 'delivered')
        await see(seller, /^Your turn: look at what came back by /)
        await keepPicture(seller, 'case-return-arrived')
        await seller.getByRole('button', { name: 'Contest', exact: true }).click()
        const dialog = seller.getByRole('dialog', { name: 'Contest what came back?' })
        await dialog.getByLabel('What is wrong with it?').fill('The box came back without the mirror.')
        await dialog.getByRole('button', { name: 'Contest', exact: true }).click()
        await see(seller, /^A mediator makes the final decision by /)
        await seller.getByLabel('Add evidence').fill('The open box on my table.')
        await seller.getByLabel('Add Images').setInputFiles(PICTURE)
        await seller.getByRole('button', { name: 'Remove image 1' }).waitFor()
        await seller.getByRole('button', { name: 'Add Evidence', exact: true }).click()
        await see(buyer, 'The open box on my table.')
        await see(buyer, 'The box came back without the mirror.')
        await keepPicture(buyer, 'case-contested')

        await toCase(otherDesk, deal)
        await command(otherDesk, 'Take the Case Over', {
          asks: /^Take this case over from /,
          confirm: 'Take It Over',
        })
        await see(otherDesk, /^Your turn: make the final decision by /)
        await see(otherDesk, 'The box came back without the mirror.')
        assert.equal(await otherDesk.getByRole('radio', { name: /^Return\/exchange/ }).count(), 0)
        await otherDesk.getByRole('radio', { name: /^Seller favor/ }).check()
        await otherDesk.getByLabel('Reasons').fill('The parcel weighed as much as its box.')
        await keepPicture(otherDesk, 'case-contested-ruling')
        await command(otherDesk, 'Review the Final Decision', {
          asks: ['Record this final decision?', '$118.20'],
          confirm: 'Record the Final Decision',
        })
        for (const page of [buyer, seller]) await see(page, 'Closed: the ruling was carried out')
        await keepPicture(seller, 'case-contested-decided')
      })
      await bothLedgersShow(deal, [CHARGE, 'hold → seller_payable 118.20', 'hold → revenue 9.20'])
    },
  ),
]

/** A deal whose dispute the seller has answered. */
async function answered() {
  const deal = await Deal.at('shipped')
  const body = { transactionId: deal.id, reason: 'damaged_item', description: 'The glass is cracked.' }
  const { id } = await deal.buyer.expect(201, 'POST', '/api/disputes', { body })
  deal.disputeId = id
  await deal.seller.expect(201, 'POST', `/api/disputes/${id}/evidence`, { body: { note: 'Send it back, then.' } })
  return deal
}

/** A deal whose dispute was ruled to be ended by a return, and whose parties have given up their right to appeal. */
async function toReturn() {
  const [deal, mediator] = await Promise.all([answered(), findMediator()])
  await rule(deal, mediator, { outcome: 'return_exchange', resolution: 'Both sides agree that it goes back.' })
  for (const person of [deal.buyer, deal.seller])
    await person.expect(200, 'POST', `/api/disputes/${deal.disputeId}/waive`)
  return deal
}

async function rule(deal, mediator, body) {
  const path = `/api/admin/disputes/${deal.disputeId}`
  await mediator.expect(200, 'PATCH', path, { body: { status: 'investigating' } })
  await ruling(deal, mediator, 200, body)
}

const ruling = (deal, mediator, status, body) =>
  mediator.expect(status, 'POST', `/api/admin/disputes/${deal.disputeId}/ruling`, { body, key: randomUUID() })
