import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { BASE_URL, KEEPS_PICTURES, SCREENSHOTS } from '../support/environment.js'

/** How long to wait for something to appear on a page. */
const PATIENCE_MS = 25_000
/** The greatest height of a picture. Longer pages are cut, because drawing them is slow. */
const PICTURE_HEIGHT = 2_400

/**
 * Opens a browser context with one page, and records the errors on that page.
 *
 * @typedef {import('../support/person.js').Person} Person
 *
 * @param {import('playwright-core').Browser} browser
 * @param {{ person?: Person, width?: number }} who signed in as `person`; a visitor without one
 */
export async function openBrowser(browser, { person, width = 1440 } = {}) {
  const context = await browser.newContext({
    baseURL: BASE_URL,
    viewport: { width, height: 900 },
    locale: 'en-US',
    timezoneId: 'America/New_York',
    reducedMotion: 'reduce',
  })
  if (person?.cookie) await context.addCookies([cookieOf(person)])
  const page = await context.newPage()
  page.setDefaultTimeout(PATIENCE_MS)
  return { context, page, trouble: recordTrouble(page) }
}

/**
 * Runs `prove` with a browser context for each of `people`. Afterwards each context must have recorded the refusals that
 * `refused` names, and no other error but those of `mayRefuse`. When something fails, a picture of each page is kept.
 *
 * @param {import('playwright-core').Browser} browser
 * @param {string} name of the pictures
 * @param {{ person?: Person, width?: number, refused?: (string | RegExp)[], mayRefuse?: (string | RegExp)[] }[]} people
 * without `person` a visitor
 * @param {(...opened: Awaited<ReturnType<typeof openBrowser>>[]) => unknown} prove
 */
export async function withBrowsers(browser, name, people, prove) {
  const opened = await Promise.all(people.map(who => openBrowser(browser, who)))
  try {
    await prove(...opened)
    for (const [index, { trouble }] of opened.entries()) {
      const { person, refused = [], mayRefuse = [] } = people[index]
      hadOnly(trouble, refused, person ? mayRefuse : [...mayRefuse, ASKED_AGAIN])
    }
  } catch (error) {
    await Promise.all(opened.map(({ page }, index) => keepFailure(page, `${name}-${index + 1}`)))
    throw error
  } finally {
    await Promise.all(opened.map(({ context }) => context.close()))
  }
}

/** A visitor's page asks who is signed in when its window gets the focus again, because another tab may have signed in. */
const ASKED_AGAIN = '401: GET /api/auth/user'

/** The refusal of a parcel that the carrier does not know yet. The product asks again later. */
export const UNKNOWN_PARCEL = /^404: GET \/api\/tracking\/HF/

/**
 * Asserts that every expected refusal is recorded, and nothing else.
 *
 * @param {string[]} trouble what `openBrowser` recorded
 * @param {(string | RegExp)[]} expected such as `404: GET /nowhere`
 * @param {(string | RegExp)[]} allowed those that depend on how fast the machine is
 */
export function hadOnly(trouble, expected, allowed = []) {
  const missing = expected.filter(wanted => !trouble.some(entry => matches(entry, wanted)))
  assert.deepEqual(missing.map(String), [], `what must be refused was refused; recorded: ${trouble.join(', ')}`)
  const known = [...expected, ...allowed]
  assert.deepEqual(
    trouble.filter(entry => !known.some(wanted => matches(entry, wanted))),
    [],
    'nothing else went wrong',
  )
}

const matches = (entry, wanted) => (typeof wanted === 'string' ? entry === wanted : wanted.test(entry))

/** Keeps a picture of the page in `screenshots`, if PICTURES=1 asks for pictures. */
export async function keepPicture(page, name) {
  if (KEEPS_PICTURES) await takePicture(page, name)
}

/** Keeps a picture of a page on which something failed. */
export const keepFailure = (page, name) => takePicture(page, `failed-${name}`)

async function takePicture(page, name) {
  mkdirSync(SCREENSHOTS, { recursive: true })
  const file = path.join(SCREENSHOTS, `${name}.jpg`)
  const { width } = page.viewportSize()
  const height = await page.evaluate(() => document.documentElement.scrollHeight)
  const clip = { x: 0, y: 0, width, height: Math.min(height, PICTURE_HEIGHT) }
  // JPEG takes half as long to encode as PNG.
  await page.screenshot({ path: file, type: 'jpeg', quality: 80, fullPage: true, clip, animations: 'disabled' })
}

/** Records script errors, errors in the console and failed requests. */
function recordTrouble(page) {
  const trouble = []
  page.on('pageerror', error => trouble.push(`broke: ${error.message}`))
  page.on('console', message => {
    // A refused request is recorded below with its address, which the console does not show.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      trouble.push(`console: ${message.text()}`)
  })
  page.on('requestfailed', request => {
    const { errorText } = request.failure() ?? {}
    // Leaving a page aborts its open requests, such as the live events.
    if (errorText !== 'net::ERR_ABORTED') trouble.push(`failed: ${request.method()} ${request.url()} ${errorText}`)
  })
  page.on('response', response => {
    const { status, url } = { status: response.status(), url: response.url().replace(BASE_URL, '') }
    if (status >= 400) trouble.push(`${status}: ${response.request().method()} ${url}`)
  })
  return trouble
}

/**
 * @param {Person} person
 * @returns {Parameters<import('playwright-core').BrowserContext['addCookies']>[0][number]}
 */
function cookieOf({ cookie }) {
  const at = cookie.indexOf('=')
  return { name: cookie.slice(0, at), value: cookie.slice(at + 1), url: BASE_URL, httpOnly: true, sameSite: 'Lax' }
}

/** Waits until the page shows a text. */
export const see = (page, text) => page.getByText(text).first().waitFor()
