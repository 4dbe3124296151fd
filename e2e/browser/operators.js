import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { Deal } from '../support/deal.js'
import { findMediator } from '../support/demo.js'
import { eventually } from '../support/eventually.js'
import { journey } from '../support/runner.js'
import { closeChargeback, decideChargebackAgain, openChargeback } from '../support/sandbox.js'
import { keepPicture, withBrowsers } from './visit.js'

/** More than what an admin may move alone. */
const PRICE = '15000.00'

/** What two admins do with each other on the console. */
export const operatorJourneys = browser => [
  journey(
    'a second admin rejects a refund: nothing is done, the first one reads why, the audit log has it, and it can be asked for again',
    async () => {
      const [deal, first, second] = await Promise.all([
        Deal.at('paid', { price: PRICE }),
        findMediator(),
        findMediator('noor'),
      ])
      const people = [{ person: first, width: 390 }, { person: second }]
      await withBrowsers(browser, 'rejected-request', people, async ({ page: asking }, { page: deciding }) => {
        await askForRefund(asking, deal)
        await deciding.goto('/admin/approvals')
        const request = await openRequest(deciding, deal)
        await request.getByText('Reject', { exact: true }).first().click()
        await request.getByLabel('Reason').fill('The parcel was delivered yesterday.')
        await keepPicture(deciding, 'request-rejecting')
        await request.getByRole('button', { name: 'Reject', exact: true }).click()
        await deciding.getByText('Rejected', { exact: true }).first().waitFor()

        await asking.goto('/admin/approvals')
        await asking.getByText('All', { exact: true }).click()
        const rejected = await openRequest(asking, deal)
        await rejected.getByText('By Noor Haddad: The parcel was delivered yesterday.').waitFor()
        await keepPicture(asking, 'request-rejected')
        await asking.goto('/admin/audit')
        const acts = asking.getByRole('table', { name: 'Acts of admins' })
        await acts
          .getByRole('row')
          .filter({ hasText: 'Request rejected' })
          .filter({ hasText: 'The parcel was delivered yesterday.' })
          .first()
          .getByRole('button')
          .click()
        await asking.getByRole('dialog', { name: 'Request rejected' }).getByText('Rejected').first().waitFor()
        await keepPicture(asking, 'request-rejected-audit')

        await askForRefund(asking, deal)
        await asking.goto('/admin/approvals')
        await openRequest(asking, deal)
      })
      const { status, money } = await deal.seenBy(deal.buyer)
      assert.deepEqual([status, money.refunded], ['paid', '0.00'])
    },
  ),

  journey(
    'a bank gives back what a cancelled deal had lost: an operator reads why, finds the deal, and marks the event as done',
    async () => {
      const [deal, operator] = await Promise.all([Deal.at('paid'), findMediator()])
      const bank = await openChargeback(deal.id)
      await deal.reaches('disputed')
      await closeChargeback(bank, 'lost')
      await deal.reaches('cancelled')
      // The provider's times are whole seconds, and opposite decisions of the same second do not fit each other.
      await sleep(1_000)
      await decideChargebackAgain(bank)
      await eventually('the event waits for an operator', async () =>
        (await operator.expect(200, 'GET', '/api/admin/provider-events/open')).some(({ about }) => about === bank.id),
      )
      await withBrowsers(browser, 'provider-event', [{ person: operator }], async ({ page }) => {
        await page.goto('/admin/provider-events')
        const event = page.getByRole('row').filter({ hasText: bank.id })
        await event.getByText('A bank gave back what an ended deal had lost').waitFor()
        await event.getByText('docs/runbooks/chargebacks.md#a-bank-decides-a-second-time').waitFor()
        await keepPicture(page, 'provider-events')
        await event.getByRole('link', { name: `transaction ${deal.id}` }).click()
        await page.getByText(`hold:${deal.id}`, { exact: true }).first().waitFor()
        await page.goBack()
        await event.getByRole('button', { name: 'Mark as done' }).click()
        const dialog = page.getByRole('dialog', { name: 'Event of the provider' })
        await dialog.getByLabel('Reason').fill('The buyer is refunded in the dashboard.')
        await keepPicture(page, 'provider-event-marking')
        await dialog.getByRole('button', { name: 'Mark as done' }).click()
        await page.getByText('Marked as done', { exact: true }).waitFor()
        await event.waitFor({ state: 'detached' })

        await page.goto('/admin/audit')
        await page
          .getByRole('table', { name: 'Acts of admins' })
          .getByRole('row')
          .filter({ hasText: 'Provider event done' })
          .filter({ hasText: 'The buyer is refunded in the dashboard.' })
          .first()
          .waitFor()
        await keepPicture(page, 'provider-event-audit')
      })
    },
  ),
]

async function askForRefund(page, deal) {
  await page.goto('/admin/refunds')
  await page.getByRole('button', { name: 'Refund a deal' }).click()
  const dialog = page.getByRole('dialog', { name: 'Refund a deal' })
  await dialog.getByLabel('Transaction').fill(String(deal.id))
  await dialog.getByText(/^Nothing at first: this is more than /).waitFor()
  await dialog.getByLabel('Reason for the parties').fill('The parcel is lost.')
  await dialog.getByLabel('Reason', { exact: true }).fill('Both parties wrote to us.')
  await dialog.getByRole('button', { name: 'Ask for approval' }).click()
  await dialog.waitFor({ state: 'detached' })
}

/** Opens the newest request about a deal. Resolves with its dialog. */
async function openRequest(page, deal) {
  const row = page
    .getByRole('row')
    .filter({ hasText: `transaction ${deal.id}` })
    .first()
  await row.getByRole('button', { name: /^Refund a deal in full/ }).click()
  return page.getByRole('dialog', { name: 'Refund a deal in full' })
}
