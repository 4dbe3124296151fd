import assert from 'node:assert/strict'
import { Deal, moves } from '../support/deal.js'
import { journey } from '../support/runner.js'
import { paymentOf } from '../support/sandbox.js'
import { bellSays, chatSays, command, showsDeal, toDeal } from './deal-page.js'
import { fileDispute, onlyDisputeOf } from './file-dispute.js'
import { keepPicture, withBrowsers } from './visit.js'

const CHARGE = 'provider_clearing → hold 127.40'
const HELD = '$127.40 is held by Holdfast'

/** What the parties do while the money is held, and what each of them sees of it. */
export const heldDealJourneys = browser => [
  journey('a buyer files a dispute and withdraws it: both parties see the money frozen, and then the deal go on', () =>
    onBothSides(browser, 'dispute', async ({ deal, buyer, seller }) => {
      await fileDispute(buyer, deal)
      await bellSays(seller, 'Dispute opened', `“${deal.listing.title}”: A dispute was filed. The money stays held`)
      await toDeal(buyer, deal)
      for (const [page, by] of [
        [buyer, 'by you'],
        [seller, 'by Bea'],
      ]) {
        await showsDeal(page, {
          status: 'Disputed',
          money: '$127.40 is held by Holdfast, frozen by a dispute',
          turn: 'On hold: a dispute has stopped it',
          history: `A dispute was filed: the money stays held. (${by})`,
        })
        await chatSays(
          page,
          'A dispute was filed. The money stays held until the dispute is resolved. A dispute does not move the deadlines of the party who files it.',
        )
        await page.getByText('A dispute has stopped this transaction.').waitFor()
        assert.equal(await page.getByRole('button', { name: /Refund|Have the Item/ }).count(), 0, 'no party can act')
        await keepPicture(page, `dispute-${by.replace(' ', '-')}`)
      }
      const frozen = await deal.seenBy(deal.buyer)
      assert.deepEqual([frozen.status, frozen.clock, frozen.money.held], ['disputed', null, '127.40'])
      const dispute = await onlyDisputeOf(deal)
      assert.deepEqual([dispute.status, dispute.reason, dispute.reporterId], ['open', 'item-damaged', deal.buyer.id])

      await buyer.getByRole('link', { name: 'Open the case' }).click()
      await withdrawDispute(buyer)
      await bellSays(
        seller,
        'Dispute withdrawn',
        'was withdrawn, and the transaction goes on. Its deadline runs again.',
      )
      await toDeal(buyer, deal)
      for (const [page, by, turn] of [
        [buyer, 'by you', /^Waiting for Sam to ship, .+ left$/],
        [seller, 'by Bea', /^Your turn: ship by /],
      ])
        await showsDeal(page, {
          status: 'Paid',
          money: HELD,
          turn,
          history: `The dispute was withdrawn: the transaction went on. (${by})`,
        })
      const resumed = await deal.seenBy(deal.seller)
      assert.deepEqual([resumed.status, resumed.clock.kind, resumed.turn], ['paid', 'ship_by', 'seller'])
      assert.equal((await onlyDisputeOf(deal)).status, 'closed')
      assert.deepEqual(moves(await deal.ledgerFor(deal.buyer)), [CHARGE], 'the dispute has moved no money')
    }),
  ),

  journey('a seller refunds on the page of the deal, and the buyer sees every cent go back', () =>
    onBothSides(browser, 'refund', async ({ deal, buyer, seller }) => {
      await command(seller, 'Refund in Full', {
        asks: ['Refund Bea in full?', 'you receive nothing, and this cannot be taken back', 'Back to Bea'],
        confirm: 'Refund $127.40',
      })
      await seller.getByText('Refund ordered').first().waitFor()
      await bellSays(
        buyer,
        'Refund on its way',
        'is cancelled: the seller refunds your payment. $127.40 is on its way back to you.',
      )
      for (const [page, by, back, turn] of [
        [buyer, 'by Sam', 'You', 'Cancelled: $127.40 goes back to you'],
        [seller, 'by you', 'Bea', 'Cancelled: $127.40 goes back to Bea'],
      ]) {
        await showsDeal(page, {
          status: 'Cancelled',
          money: `$127.40 is back with the buyer (${back})`,
          turn,
          history: `The seller refunded the buyer in full. (${by})`,
        })
        await chatSays(page, '$127.40 goes back to the buyer. It may take some days to arrive.')
        // The provider confirms the refund a moment later, which no party has to ask for.
        await page.getByText('The refund was sent', { exact: true }).waitFor()
        const ledger = page.getByRole('region', { name: 'Where the money went' })
        await ledger.getByRole('row', { name: 'Back with the buyer $127.40' }).waitFor()
        await ledger.getByRole('row', { name: 'The sum, as paid $127.40' }).waitFor()
        await page.getByText('Nothing is left to do.', { exact: true }).waitFor()
      }
      await buyer.goto('/dashboard?tab=buying')
      await buyer.getByText('You paid, after the refund $0.00').waitFor()

      const { status, refund, money } = await deal.seenBy(deal.buyer)
      assert.deepEqual([status, refund, money.refunded, money.held], ['cancelled', 'returned', '127.40', '0.00'])
      assert.deepEqual(moves(await deal.ledgerFor(deal.seller)), [
        CHARGE,
        'hold → refund_due 127.40',
        'refund_due → provider_clearing 127.40',
      ])
      assert.equal((await paymentOf(deal.id)).refunded, 12_740)
    }),
  ),

  journey(
    'an item is handed over in person: the seller says so, the buyer confirms it, and each sees the other act',
    () =>
      onBothSides(browser, 'hand-over', async ({ deal, buyer, seller }) => {
        await command(seller, 'Hand Over in Person', {
          asks: ['Hand the item over without a carrier?', 'only Bea can say that the item arrived'],
          confirm: 'Hand Over in Person',
        })
        await bellSays(buyer, 'Hand-over started', 'Confirm the delivery once you have it.')
        for (const [page, by, turn] of [
          [buyer, 'by Sam', /^Your turn: confirm the hand-over by /],
          [seller, 'by you', /^Waiting for Bea to confirm the hand-over, .+ left$/],
        ])
          await showsDeal(page, {
            status: 'In Progress',
            money: HELD,
            turn,
            history: `The seller hands the item over without a carrier. (${by})`,
          })
        const handedOver = await deal.seenBy(deal.buyer)
        assert.deepEqual([handedOver.status, handedOver.clock.kind], ['in_progress', 'receive_by'])
        assert.equal(handedOver.trackingNumber, null)

        await command(buyer, 'Confirm Delivery', {
          asks: ['Has the item arrived?', 'The inspection period of 3 days begins. The money stays held'],
          confirm: 'It Arrived',
        })
        await buyer.getByText('Delivery Confirmed').first().waitFor()
        await bellSays(seller, 'Inspection period started', `The buyer inspects “${deal.listing.title}” now.`)
        for (const [page, by, turn] of [
          [buyer, 'by you', /^Your turn: inspect and accept by /],
          [seller, 'by Bea', /^Waiting for Bea to inspect and accept, .+ left$/],
        ])
          await showsDeal(page, {
            status: 'Inspection',
            money: HELD,
            turn,
            history: `The inspection period began. (${by})`,
          })
        const inspected = await deal.seenBy(deal.seller)
        assert.deepEqual([inspected.status, inspected.clock.kind], ['inspection', 'inspection'])
        assert.deepEqual(moves(await deal.ledgerFor(deal.buyer)), [CHARGE])
      }),
  ),
]

/** Opens a paid deal in the browsers of both parties. */
async function onBothSides(browser, name, prove) {
  const deal = await Deal.at('paid')
  await withBrowsers(
    browser,
    name,
    [{ person: deal.buyer }, { person: deal.seller }],
    async ({ page: buyer }, { page: seller }) => {
      await Promise.all([buyer, seller].map(page => toDeal(page, deal)))
      await prove({ deal, buyer, seller })
    },
  )
}

/** On the page of the case. */
async function withdrawDispute(page) {
  await page.getByText(/^Sam has until .+ to answer$/).waitFor()
  await command(page, 'Withdraw', { asks: 'Withdraw this dispute?', confirm: 'Withdraw Dispute' })
  await page.getByText('Dispute withdrawn').first().waitFor()
  await page.getByText('Withdrawn: the transaction went on', { exact: true }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Withdraw' }).count(), 0, 'it can be withdrawn once')
}
