import assert from 'node:assert/strict'
import { Deal } from '../support/deal.js'
import { eventually } from '../support/eventually.js'
import { journey } from '../support/runner.js'
import { aMessage, CHAT_PAGE, longChat, showChat } from './long-chat.js'
import { withBrowsers } from './visit.js'

const MESSAGES = 200
/** A position may differ by this many pixels, because a browser rounds scroll positions. */
const ROUNDING_PX = 1

/** Reading a long chat. The browser gets its messages from here, because a user may post only 60 in a minute. */
export const chatReadingJourneys = browser => [
  journey('earlier and new messages leave the message that one reads where it is', async () => {
    const deal = await Deal.at('paid')
    for (const width of [1440, 390])
      await withBrowsers(browser, `long-chat-${width}`, [{ person: deal.buyer, width }], async ({ page }) => {
        const messages = longChat(deal, MESSAGES)
        await showChat(page, deal, messages)
        await page.goto(`/transaction/${deal.id}`)
        const box = page.getByRole('log', { name: 'Conversation' })
        const isShown = ({ id }) => box.locator(`[data-message="${id}"]`).waitFor({ state: 'attached' })
        const earlier = box.getByRole('button', { name: 'Show earlier messages' })
        await isShown(messages[MESSAGES - CHAT_PAGE])
        while ((await oldestIn(box)) !== messages[0].id) {
          await scrollToTop(box)
          await staysInPlace(box, async () => {
            const oldest = await oldestIn(box)
            await earlier.click()
            await eventually('earlier messages are shown', async () => (await oldestIn(box)) !== oldest)
          })
          await scrollToTop(box)
          await staysInPlace(box, async () => {
            // A message of the reader would lead to the end.
            const message = { ...aMessage(deal, messages.length), senderId: deal.seller.id }
            messages.push(message)
            // The live event of a real message makes the page ask for the list again.
            const body = { transactionId: deal.id, senderId: deal.seller.id, content: message.content, isSystem: false }
            await deal.seller.expect(201, 'POST', `${deal.path}/messages`, { body })
            await isShown(message)
          })
        }
        assert.equal(await earlier.count(), 0, 'no earlier messages are offered at the first one')
      })
  }),
]

/** Turns the mouse wheel, as a reader does. The box has scrolled when the promise resolves. */
async function scrollToTop(box) {
  await box.hover()
  await box.page().mouse.wheel(0, -100_000)
  await eventually('the box is at its top', () => box.evaluate(({ scrollTop }) => scrollTop === 0))
}

/** Fails when `change` moves the first message in view. */
async function staysInPlace(box, change) {
  const before = await firstInView(box)
  await change()
  // The place must also be right after the page has been drawn again.
  await box.page().waitForTimeout(300)
  const topPx = await topOf(box, before.id)
  assert.ok(topPx !== null, `message ${before.id}, which was in view, is no longer shown`)
  assert.ok(
    Math.abs(topPx - before.topPx) <= ROUNDING_PX,
    `message ${before.id}, the first in view, moved from ${before.topPx} to ${topPx} px`,
  )
}

/** The id of the oldest message that is loaded. */
const oldestIn = box => box.locator('[data-message]').first().getAttribute('data-message')

/** The first message that is at least partly in view, and how far its top is below the top of the box. */
const firstInView = box =>
  box.evaluate(element => {
    const { top } = element.getBoundingClientRect()
    const message = [...element.querySelectorAll('[data-message]')].find(
      each => each.getBoundingClientRect().bottom > top,
    )
    return { id: message.dataset.message, topPx: message.getBoundingClientRect().top - top }
  })

/** How far the top of a message is below the top of the box; null when it is not shown. */
const topOf = (box, id) =>
  box.evaluate((element, id) => {
    const message = element.querySelector(`[data-message="${id}"]`)
    return message && message.getBoundingClientRect().top - element.getBoundingClientRect().top
  }, id)
