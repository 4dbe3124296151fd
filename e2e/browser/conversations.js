import assert from 'node:assert/strict'
import { Deal } from '../support/deal.js'
import { journey } from '../support/runner.js'
import { withBrowsers } from './visit.js'

const say = (deal, person, content) => person.expect(201, 'POST', `${deal.path}/messages`, { body: { content } })

/** The list of a person's chats. */
export const conversationJourneys = browser => [
  journey(
    'a message is unread in the list of conversations until its reader has seen it, in the list and in the bell',
    async () => {
      const deal = await Deal.at('paid', { title: 'A brass sextant' })
      const other = await Deal.open({ title: 'A lamp' }, { buyer: deal.buyer })
      await say(deal, deal.seller, 'Shall I send it on Friday?')
      await say(other, deal.buyer, 'Is the lamp from 1920?')
      await withBrowsers(browser, 'conversations', [{ person: deal.buyer, width: 390 }], async ({ page }) => {
        await page.goto('/messages?tab=unread')
        const row = page.getByRole('listitem').filter({ hasText: 'A brass sextant' })
        await row.getByText('Shall I send it on Friday?').waitFor()
        await page.getByText('A lamp').waitFor({ state: 'detached' })
        await say(deal, deal.seller, 'Or on Monday?')
        await row.getByText('Or on Monday?').waitFor()
        await row.getByText(/^2/).waitFor()

        await page.getByLabel('Search').fill('sam tes')
        await row.waitFor()
        await page.getByLabel('Search').fill('')
        const marked = page.waitForResponse(response => response.url().endsWith(`${deal.path}/messages/read`))
        await row.getByRole('link').click()
        await page.waitForURL(`**/transaction/${deal.id}#messages`)
        await page.getByRole('log', { name: 'Conversation' }).getByText('Or on Monday?').waitFor()
        await marked
        await page.goto('/messages')
        await row.waitFor()
        assert.equal(await row.getByText('unread').count(), 0, 'what was seen is read')
        const { unread } = await deal.buyer.expect(200, 'GET', '/api/notifications/unread')
        const notifications = await deal.buyer.expect(200, 'GET', '/api/notifications')
        assert.ok(
          notifications.every(({ type, read }) => type !== 'message' || read),
          'the bell agrees',
        )
        assert.equal(unread, notifications.filter(({ read }) => !read).length)
      })
    },
  ),
]
