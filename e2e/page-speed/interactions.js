import { longChat, showChat } from '../browser/long-chat.js'
import { openBrowser } from '../browser/visit.js'

const SLOWER = 4
const PHONE_WIDTH = 390
const MESSAGES = 2_000

/**
 * The slowest answer to a touch or a key on each of three screens, in milliseconds: from the event to the next picture on the
 * screen, as the browser's Event Timing reports it (in steps of 8 ms).
 *
 * @param {import('playwright-core').Browser} browser
 * @param {import('../support/person.js').Person} person a user who has a deal
 * @returns {Promise<{ name: string, ms: number }[]>}
 */
export async function measureInteractions(browser, person) {
  const [deal] = await person.expect(200, 'GET', '/api/transactions')
  const results = []
  for (const [name, use] of Object.entries(SCREENS))
    results.push({ screen: name, ...(await slowest(browser, person, deal, use)) })
  return results
}

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
        for (const {
          interactionId,
          duration,
          name,
          target,
          startTime,
          processingStart,
          processingEnd,
        } of list.getEntries())
          if (interactionId > 0 && duration > window.slowest.ms) {
            const [waited, worked] = [processingStart - startTime, processingEnd - processingStart].map(Math.round)
            window.slowest = { ms: duration, name, target: target?.outerHTML.slice(0, 80), waited, worked }
          }
      }).observe({ type: 'event', durationThreshold: 16, buffered: true })
    })
    const devtools = await context.newCDPSession(page)
    // What is done before this only prepares the screen.
    const begin = async () => {
      await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
      await page.evaluate(() => {
        window.slowest = { ms: 0 }
      })
    }
    await use(page, deal, begin)
    // The observer gets an event after the picture that follows it.
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
