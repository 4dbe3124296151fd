import { Deal, moves } from '../support/deal.js'
import { eventually } from '../support/eventually.js'
import { journey } from '../support/runner.js'
import { closeChargeback, decideChargebackAgain, openChargeback } from '../support/sandbox.js'
import { showsDeal, toDeal } from './deal-page.js'
import { keepPicture, see, UNKNOWN_PARCEL, withBrowsers } from './visit.js'

const WITH_SELLER = '$118.20 is with the seller'
const OPENED = 'The buyer’s bank disputed the payment. (by the payment provider)'

/** What both parties see when the buyer's bank disputes the payment of a deal whose money was released. */
export const lateChargebackJourneys = browser => [
  journey(
    'a bank disputes a payment after the release: both parties read what it means, until it is lost or won',
    async () => {
      const lost = await Deal.at('completed')
      const won = await Deal.at('completed', {}, lost)
      const [bank, otherBank] = await Promise.all([lost, won].map(({ id }) => openChargeback(id)))
      const people = [
        { person: lost.buyer, width: 390 },
        { person: lost.seller },
        { person: lost.seller, width: 390 },
        { person: won.buyer },
      ].map(who => ({ ...who, mayRefuse: [UNKNOWN_PARCEL] }))
      await withBrowsers(
        browser,
        'late-chargeback',
        people,
        async ({ page: buyer }, { page: seller }, { page: balance }, { page: winner }) => {
          await Promise.all([toDeal(buyer, lost), toDeal(seller, lost), balance.goto('/profile?tab=payments')])
          await showsDeal(buyer, {
            status: 'Completed',
            money: `${WITH_SELLER} (Sam)`,
            turn: 'Your bank looks at the payment',
            history: OPENED,
          })
          await see(buyer, /^Your bank asked for \$127\.40 back on /)
          await showsDeal(seller, {
            status: 'Completed',
            money: `${WITH_SELLER} (You)`,
            turn: 'Bea’s bank disputes the payment',
            history: OPENED,
          })
          await see(seller, /If it decides for Bea, \$118\.20 is taken from your balance\.$/)
          await see(balance, 'A buyer’s bank decides about a chargeback. Your balance waits for its decision.')
          await see(balance, /Until the bank decides, only what your balance has above this amount is paid out\./)
          for (const [name, page] of Object.entries({ buyer, seller, balance }))
            await keepPicture(page, `late-chargeback-open-${name}`)
          await winner.goto('/dashboard')
          await see(winner, 'Your bank looks at the payment')
          await keepPicture(winner, 'late-chargeback-dashboard')

          await Promise.all([closeChargeback(bank, 'lost'), closeChargeback(otherBank, 'won')])
          await showsDeal(buyer, {
            status: 'Completed',
            money: '$127.40 is back with the buyer (You)',
            turn: '$127.40 taken back by your bank',
            history: 'The buyer’s bank has given money of this payment back to the buyer. (by the payment provider)',
          })
          await see(buyer, 'You have this money from your bank, and not from Holdfast.')
          await see(seller, /^\$118\.20 was taken from your balance\./)
          await see(balance, /This amount was taken from your balance\.$/)
          await see(balance, '-$118.20')
          await toDeal(winner, won)
          await see(winner, /^Your bank decided on .+ that the payment stands$/)
          await see(winner, '$118.20 released to Sam')
          for (const [name, page] of Object.entries({ buyer, seller, balance, winner }))
            await keepPicture(page, `late-chargeback-ended-${name}`)

          await decideChargebackAgain(bank)
          await see(seller, /^It had asked for \$127\.40 back\. Your balance has lost nothing by it\.$/)
          await see(seller, '$118.20 released to you')
          await keepPicture(seller, 'late-chargeback-decided-again-seller')
        },
      )
      const expected = [
        'hold → revenue 9.20',
        'hold → seller_payable 118.20',
        'revenue → chargeback_receivable 9.20',
        'seller_payable → chargeback_receivable 118.20',
        'provider_clearing → revenue 9.20',
        'provider_clearing → seller_payable 118.20',
      ].toSorted()
      await eventually('the loss and its return are in the ledger of the seller', async () => {
        const [, ...posted] = moves(await lost.ledgerFor(lost.seller))
        return posted.toSorted().join() === expected.join()
      })
    },
  ),
]
