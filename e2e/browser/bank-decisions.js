import assert from 'node:assert/strict'
import { Deal } from '../support/deal.js'
import { findMediator } from '../support/demo.js'
import { journey } from '../support/runner.js'
import { closeChargeback, openChargeback } from '../support/sandbox.js'
import { chatSays, showsDeal, toDeal } from './deal-page.js'
import { bothLedgersShow, CHARGE, toCase } from './dispute-page.js'
import { onlyDisputeOf } from './file-dispute.js'
import { keepPicture, see, withBrowsers } from './visit.js'

/** What everybody sees while the buyer's bank decides about the payment of a deal whose money is held, and afterwards. */
export const bankDecisionJourneys = browser => [
  journey(
    'a bank disputes a payment: both parties and the operator see the money frozen, and then lost or released again',
    async () => {
      const [lost, won, operator] = await Promise.all([Deal.at('paid'), Deal.at('paid'), findMediator()])
      const people = [{ person: lost.buyer, width: 390 }, { person: lost.seller }, { person: operator }]
      await withBrowsers(browser, 'chargeback', people, async ({ page: buyer }, { page: seller }, { page: desk }) => {
        await Promise.all([buyer, seller].map(page => toDeal(page, lost)))
        const [bank, otherBank] = await Promise.all([lost, won].map(stopByChargeback))
        for (const { page, whose } of [
          { page: buyer, whose: 'your' },
          { page: seller, whose: 'Bea’s' },
        ])
          await showsDeal(page, {
            status: 'Disputed',
            money: '$127.40 is held by Holdfast, frozen by a dispute',
            turn: `On hold: ${whose} bank decides`,
            history: 'The buyer’s bank disputed the payment: every deadline was paused. (by the payment provider)',
          })
        await chatSays(
          seller,
          'The buyer’s bank disputes the payment. It decides within some weeks. The money stays held and every deadline is paused until it is resolved.',
        )
        await keepPicture(buyer, 'chargeback-frozen')
        lost.disputeId = (await onlyDisputeOf(lost)).id
        await toCase(desk, lost)
        await see(desk, 'On hold: the buyer’s bank decides')
        const file = desk.getByRole('link', { name: 'Download Everything' })
        await file.waitFor()
        await keepPicture(desk, 'chargeback-case')
        const evidence = await operator.expect(200, 'GET', String(await file.getAttribute('href')))
        assert.deepEqual(
          [evidence.dispute.reason, evidence.transaction.acceptances.map(({ by }) => by)],
          ['chargeback', ['signing', 'paying']],
        )

        await Promise.all([closeChargeback(bank, 'lost'), closeChargeback(otherBank, 'won')])
        await showsDeal(buyer, {
          status: 'Cancelled',
          money: '$127.40 is back with the buyer (You)',
          turn: 'Cancelled: $127.40 taken back by your bank',
          history:
            'The buyer’s bank has given the payment back to the buyer: the transaction is cancelled. (by the payment provider)',
        })
        await keepPicture(buyer, 'chargeback-lost')
        // A mediator’s page asks again by itself after some seconds, which need not be waited for here.
        await toCase(desk, lost)
        await see(desk, 'This dispute is closed')
      })
      await won.reaches('paid')
      assert.equal((await won.seenBy(won.seller)).money.held, '127.40')
      await bothLedgersShow(lost, [CHARGE, 'hold → chargeback_receivable 127.40'])
    },
  ),

  journey(
    'a bank disputes a payment during a dispute: no time limit runs until it has decided, and then the case goes on',
    async () => {
      const [deal, operator] = await Promise.all([Deal.at('shipped'), findMediator()])
      const people = [{ person: deal.buyer, width: 390 }, { person: deal.seller }, { person: operator }]
      await withBrowsers(browser, 'bank', people, async ({ page: buyer }, { page: seller }, { page: desk }) => {
        const body = { transactionId: deal.id, reason: 'damaged_item', description: 'The glass is cracked.' }
        deal.disputeId = (await deal.buyer.expect(201, 'POST', '/api/disputes', { body })).id
        await Promise.all([buyer, seller].map(page => toCase(page, deal)))
        await see(seller, /^Your turn: answer by /)
        const bank = await openChargeback(deal.id)
        for (const { page, whose } of [
          { page: buyer, whose: 'your' },
          { page: seller, whose: 'Bea’s' },
        ]) {
          await see(page, `On hold: ${whose} bank decides`)
          await see(page, /no time limit runs, and nothing can be settled or ruled on/)
          await page.getByRole('heading', { name: 'Time limits' }).waitFor({ state: 'detached' })
          await page.getByRole('button', { name: 'Withdraw' }).waitFor({ state: 'detached' })
        }
        await keepPicture(buyer, 'bank-decides-buyer')
        await keepPicture(seller, 'bank-decides-seller')
        await toCase(desk, deal)
        await see(desk, /You can already take the case and write notes for both parties/)
        await desk.getByRole('heading', { name: 'History' }).waitFor()
        await keepPicture(desk, 'bank-decides-mediator')
        await desk.goto('/admin/disputes')
        await desk.locator(`a[href$="/disputes/${deal.disputeId}"]`).getByText('The bank decides').waitFor()
        await keepPicture(desk, 'bank-decides-queue')
        await buyer.goto('/dashboard')
        await see(buyer, 'On hold: your bank decides')
        await keepPicture(buyer, 'bank-decides-dashboard')

        await closeChargeback(bank, 'won')
        await see(seller, /^Your turn: answer by /)
        await see(seller, /Each time limit went on with the time that was left/)
        await keepPicture(seller, 'bank-has-decided')
      })
    },
  ),
]

/** Lets the buyer's bank dispute the payment of a deal whose money is held. */
async function stopByChargeback(deal) {
  const chargeback = await openChargeback(deal.id)
  await deal.reaches('disputed')
  return chargeback
}
