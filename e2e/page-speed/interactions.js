import { longChat, showChat } from '../browser/long-chat.js'
import { openBrowser } from '../browser/visit.js'

const SLOWER = 4
const PHONE_WIDTH = 390
const MESSAGES = 2_000

/**
 * Three screens, and how to measure their slowest response to a touch or a key: `ms` from the event to the next frame, as the
 * browser's Event Timing reports it in steps of 8 ms, with the event's name and the parts of this time.
 *
 * @param {import('playwright-core').Browser} browser
 * @param {import('../support/person.js').Person} person a user who has a deal
 */
export const interactions = (browser, person) =>
  Object.entries(SCREENS).map(([name, use]) => ({
    name,
    measure: async () => {
      const [deal] = await person.expect(200, 'GET', '/api/transactions')
      return slowest(browser, person, deal, use)
    },
  }))

const SCREENS = {
  'wizard, typing and next step': useWizard,
  'browse, search and filters': useFilters,
  [`chat of ${MESSAGES.toLocaleString('en-US')} messages, typing`]: useChat,
}

async function slowest(browser, person, deal, use) {
  const { context, page } = await openBrowser(browser, { person, width: PHONE_WIDTH })
  try {
    await page.addInitScript(() => {
      window.slowest = { ms: 0 }
      new PerformanceObserver(list => {
        const events = /** @type {PerformanceEventTiming[]} */ (list.getEntries())
        for (const entry of events) {
          if (entry.interactionId === 0 || entry.duration <= window.slowest.ms) continue
          const waited = Math.round(entry.processingStart - entry.startTime)
          const worked = Math.round(entry.processingEnd - entry.processingStart)
          window.slowest = { ms: entry.duration, name: entry.name, waited, worked }
        }
      }).observe({ type: 'event', durationThreshold: 16, buffered: true })
    })
    const devtools = await context.newCDPSession(page)
    // The measurement begins here. What is done before it prepares the screen.
    const begin = async () => {
      await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
      await page.evaluate(() => {
        window.slowest = { ms: 0 }
      })
    }
    await use(page, deal, begin)
    // The observer gets an event after the frame that follows it.
    await page.waitForTimeout(500)
    return await page.evaluate(() => window.slowest)
  } finally {
    await context.close()
  }
}

/** Types into the details of a new listing, and goes on. */
async function useWizard(page, _, begin) {
  await page.goto('/create-listing')
  await page.getByRole('button', { name: 'Skip This Step' }).waitFor()
  await begin()
  await page.getByRole('button', { name: 'Skip This Step' }).click()
  await page.getByLabel('Title').pressSequentially('A brass astrolabe')
  await page.getByLabel('Description').pressSequentially('With its box, in working order.')
  await page.getByLabel('Price (USD)').pressSequentially('250')
  await page.getByLabel('Category').selectOption({ index: 1 })
  await page.getByLabel('Condition').selectOption({ index: 1 })
  await page.getByRole('button', { name: 'Continue to Legal Documents' }).click()
  await page.getByLabel('Digital Signature').waitFor()
}

/** Searches and chooses filters. */
async function useFilters(page, _, begin) {
  await page.goto('/browse')
  await page.getByRole('article').first().waitFor()
  await begin()
  await page.getByPlaceholder('Search items').pressSequentially('brass')
  await page.keyboard.press('Enter')
  await page.getByText('Filters and order').click()
  await page.getByLabel('Condition').selectOption({ index: 1 })
  await page.getByLabel('Category').selectOption({ index: 1 })
  await page.waitForTimeout(1_000)
}

/** Loads a long chat to its first message, and writes. */
async function useChat(page, deal, begin) {
  await showChat(page, deal, longChat(deal, MESSAGES))
  await page.goto(`/transaction/${deal.id}`)
  const box = page.getByRole('log', { name: 'Conversation' })
  const earlier = box.getByRole('button', { name: 'Show earlier messages' })
  await box.locator('[data-message]').first().waitFor()
  for (;;) {
    const shown = await box.locator('[data-message]').count()
    if (shown === MESSAGES) break
    await earlier.click()
    await page.waitForFunction(count => document.querySelectorAll('[data-message]').length > count, shown)
  }
  await begin()
  const field = page.getByRole('textbox', { name: /message/i })
  await field.pressSequentially('I will ship it tomorrow morning.')
}
