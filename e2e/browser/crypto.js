import assert from 'node:assert/strict'
import { Deal, moves } from '../support/deal.js'
import { eventually } from '../support/eventually.js'
import { journey } from '../support/runner.js'
import { control } from '../support/sandbox.js'
import { WALLET } from '../support/wallet.js'
import { chatSays, showsDeal, toDeal } from './deal-page.js'
import { keepPicture, withBrowsers } from './visit.js'

const CHARGE = 'crypto_clearing → hold 121.80'

/** Paying in cryptocurrency, and what the buyer reads about their money when it does not fit. */
export const cryptoJourneys = browser => [
  journey('a deal is paid in cryptocurrency: the buyer sees the address, the arrival and the confirmation', () =>
    onSendFunds(browser, 'crypto', async ({ deal, page }) => {
      const address = await askForAddress(page, WALLET)
      await page.getByRole('img', { name: new RegExp(`to ${address}$`) }).waitFor()
      await page.getByText(/^\d+:\d\d left$/).waitFor()
      await keepPicture(page, 'crypto-address')
      await control('POST', `/crypto/${address}/send`, {})
      await page.getByText(/ BTC was seen in the Bitcoin network$/).waitFor()
      assert.equal(await deal.status(), 'secured')
      await keepPicture(page, 'crypto-seen')
      await toDeal(page, deal)
      await page.getByText('The funds have arrived and become final soon', { exact: true }).waitFor()
      await control('POST', `/crypto/${address}/confirm`, {})
      await showsDeal(page, {
        status: 'Paid',
        money: '$121.80 is held by Holdfast',
        turn: /^Waiting for Sam to ship, .+ left$/,
        history: 'The buyer’s payment arrived and is held. (by the payment provider)',
      })
      await page.getByText('Crypto processor').first().waitFor()
      assert.deepEqual(moves(await deal.ledgerFor(deal.buyer)), [CHARGE])
      await chatSays(
        page,
        'The buyer’s transfer of $121.80 has arrived. It is not final yet. Next: it is confirmed, and then the seller ships.',
      )
    }),
  ),

  journey('too little cryptocurrency goes back to the wallet, the page says so, and the buyer pays again', () =>
    onSendFunds(browser, 'crypto-too-little', async ({ deal, page }) => {
      const address = await askForAddress(page, WALLET)
      await control('POST', `/crypto/${address}/send`, { amount: '0.0005' })
      await page.getByText('0.0005 BTC is too little', { exact: true }).waitFor()
      // The setting is for everybody's refunds, so it holds for this one step only.
      await control('POST', '/settings', { refunds: 'by_hand' })
      try {
        await control('POST', `/crypto/${address}/confirm`, {})
      } finally {
        await control('POST', '/settings', { refunds: 'at_once' })
      }
      await page.getByText('0.0005 BTC was too little', { exact: true }).waitFor()
      await page.getByText('On its way back', { exact: true }).waitFor()
      await keepPicture(page, 'crypto-too-little')
      await control('POST', `/crypto/${address}/arrive-back`, {})
      await eventually('the page says that the money is back', async () => {
        await page.reload()
        await page.getByText('Money That Goes Back to Your Wallet', { exact: true }).waitFor()
        return (await page.getByText('Returned', { exact: true }).count()) > 0
      })
      assert.equal(await deal.status(), 'pending')
      assert.deepEqual(moves(await deal.ledgerFor(deal.buyer)), [])
      const again = await askForAddress(page)
      assert.notEqual(again, address, 'a new payment has an address of its own')
      await control('POST', `/crypto/${again}/send`, {})
      await control('POST', `/crypto/${again}/confirm`, {})
      await page.waitForURL(`**/transaction/${deal.id}`)
      await page.getByText('Money That Goes Back to Your Wallet', { exact: true }).waitFor()
      assert.deepEqual(moves(await deal.ledgerFor(deal.buyer)), [CHARGE])
    }),
  ),

  journey('an amount that holds no longer is not shown, and money that comes late goes back', () =>
    onSendFunds(browser, 'crypto-expired', async ({ deal, page }) => {
      const address = await askForAddress(page, WALLET)
      await control('POST', `/crypto/${address}/expire`, {})
      await page.getByText('This amount has expired', { exact: true }).waitFor()
      assert.equal(await page.getByText(address, { exact: true }).count(), 0, 'nothing can be sent by mistake')
      await keepPicture(page, 'crypto-expired')
      await control('POST', `/crypto/${address}/send`, {})
      await control('POST', `/crypto/${address}/confirm`, {})
      await eventually('the page says that the money came too late', async () => {
        await page.reload()
        await page.getByRole('button', { name: 'Show Amount and Address' }).waitFor()
        return (await page.getByText(/ BTC came too late$/).count()) > 0
      })
      await page.getByText('Returned', { exact: true }).waitFor()
      await keepPicture(page, 'crypto-late')
      assert.equal(await deal.status(), 'pending')
      await toDeal(page, deal)
      await page.getByText('Nothing has been paid yet, so no money has moved.').waitFor()
    }),
  ),
]

async function onSendFunds(browser, name, act) {
  const deal = await Deal.open()
  await withBrowsers(browser, name, [{ person: deal.buyer }], async ({ page }) => {
    await page.goto(`/send-funds/${deal.id}`)
    await page.getByText('Crypto', { exact: true }).click()
    await act({ deal, page })
  })
}

/** Asks for an amount and an address. @param wallet left out when the form has it already. @returns the address */
async function askForAddress(page, wallet) {
  if (wallet) await page.getByLabel('Wallet Address').fill(wallet)
  await page.getByRole('button', { name: 'Show Amount and Address' }).click()
  const code = page.getByRole('img', { name: / to bc1q[a-z0-9]{38}$/ })
  const label = await code.getAttribute('aria-label')
  return label.split(' ').at(-1)
}
