import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { BASE_URL, SCREENSHOTS } from '../support/environment.js'

/** How long a page has for whatever is awaited on it. */
const PATIENCE_MS = 25_000
/** Of a page that is longer the picture ends here: drawing all of it takes a slow machine long. */
const PICTURE_HEIGHT = 2_400

/**
 * Somebody's browser: a context of its own with one page, and an ear for what goes wrong on it.
 *
 * @param {import('playwright-core').Browser} browser
 * @param {{ person?: import('../support/person.js').Person, width?: number }} who signed in as `person`, if any
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
  return { context, page, trouble: hearTrouble(page) }
}

/** Runs `prove` with browsers of its own; a picture of each page is kept when it fails. */
export async function withBrowsers(browser, name, people, prove) {
  const opened = await Promise.all(people.map(who => openBrowser(browser, who)))
  try {
    await prove(...opened)
  } catch (error) {
    await Promise.all(opened.map(({ page }, index) => keepPicture(page, `failed-${name}-${index + 1}`)))
    throw error
  } finally {
    await Promise.all(opened.map(({ context }) => context.close()))
  }
}

/** A picture of the page, from its top, in `screenshots`. */
export async function keepPicture(page, name) {
  mkdirSync(SCREENSHOTS, { recursive: true })
  const file = path.join(SCREENSHOTS, `${name}.jpg`)
  const { width } = page.viewportSize()
  const height = await page.evaluate(() => document.documentElement.scrollHeight)
  const clip = { x: 0, y: 0, width, height: Math.min(height, PICTURE_HEIGHT) }
  // JPEG, since a slow machine takes half as long over it.
  await page.screenshot({ path: file, type: 'jpeg', quality: 80, fullPage: true, clip, animations: 'disabled' })
}

/** What a page should never have: broken scripts, errors in the console, requests that fail. */
function hearTrouble(page) {
  const trouble = []
  page.on('pageerror', error => trouble.push(`broke: ${error.message}`))
  page.on('console', message => {
    // A refused request has its own entry below, with the address the console leaves out.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      trouble.push(`console: ${message.text()}`)
  })
  page.on('requestfailed', request => {
    const { errorText } = request.failure() ?? {}
    // Going to another page ends what was under way, live events first of all.
    if (errorText !== 'net::ERR_ABORTED') trouble.push(`failed: ${request.method()} ${request.url()} ${errorText}`)
  })
  page.on('response', response => {
    const { status, url } = { status: response.status(), url: response.url().replace(BASE_URL, '') }
    if (status >= 400) trouble.push(`${status}: ${response.request().method()} ${url}`)
  })
  return trouble
}

function cookieOf({ cookie }) {
  const at = cookie.indexOf('=')
  return { name: cookie.slice(0, at), value: cookie.slice(at + 1), url: BASE_URL, httpOnly: true, sameSite: 'Lax' }
}
