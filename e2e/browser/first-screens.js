import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { Deal } from '../support/deal.js'
import { journey } from '../support/runner.js'
import { withBrowsers } from './visit.js'

/** Chromium warns about a preload that the page did not use. It does so within this time after the page is loaded. */
const UNUSED_AFTER_MS = 3_500
const FONTS_AFTER_MS = 1_500
const WIDTHS = [390, 1440]
/** A larger layout shift can be seen. Fonts and pictures may move something by a fraction of a pixel. */
const MAX_SHIFT = 0.01

/** How the first screens load. */
export const firstScreenJourneys = browser => [
  journey('first screens use what their HTML announces, and nothing on them moves while they load', async () => {
    const { buyer, id, listing } = await Deal.at('paid')
    const visitor = ['/', '/browse', `/listing/${listing.id}`, '/auth', '/dashboard'].map(path => ({ path }))
    const user = ['/dashboard', `/transaction/${id}`].map(path => ({ path, person: buyer }))
    for (const width of WIDTHS) {
      const screens = [...visitor, ...user].map(screen => ({ ...screen, width }))
      await withBrowsers(browser, `first-screens-${width}`, screens, async (...opened) => {
        await Promise.all(opened.map(({ page }, index) => check(page, screens[index].path, width)))
      })
    }
  }),
]

async function check(page, path, width) {
  const warnings = []
  page.on('console', message => message.text().includes('preload') && warnings.push(message.text()))
  // Live events can add rows to a page. Here their request is never answered.
  await page.route('**/api/events', () => undefined)
  // On a slow network the first screen is drawn with fonts of the system.
  await page.route('**/*.woff2', async route => {
    await sleep(FONTS_AFTER_MS)
    await route.continue()
  })
  const html = await (await page.goto(path)).text()
  await page.locator('h1').first().waitFor()
  await page.waitForTimeout(UNUSED_AFTER_MS)
  const announced = await page.locator('link[rel="modulepreload"], link[rel="preload"][as="fetch"]').count()
  assert.ok(announced > 0, `${path} announces what it loads`)
  const pageFiles = (await page.evaluate(loadedFiles)).filter(file => /-page-[^/]*\.js$/.test(file))
  assert.ok(pageFiles.length > 0, `${path} loads the code of its page`)
  const others = pageFiles.filter(file => !html.includes(file))
  assert.deepEqual(others, [], `${path} loads the code of no other page`)
  // Chromium warns when the page's request differs from the preload, and when there is none.
  assert.deepEqual(warnings, [], `${path} uses what it announces`)
  const shift = await page.evaluate(layoutShift)
  assert.ok(shift.sum < MAX_SHIFT, `${path} moves by ${shift.sum} at ${width} px: ${shift.moved.join(', ')}`)
}

/** The paths of what the page loaded. Runs in the page. */
function loadedFiles() {
  return performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)
}

/**
 * What the browser says of a layout shift (https://wicg.github.io/layout-instability/).
 *
 * @typedef {PerformanceEntry & { value: number, hadRecentInput: boolean, sources: { node?: Element }[] }} LayoutShift
 */

/** The sum of the layout shifts of a page (https://web.dev/articles/cls), and what moved. Runs in the page. */
function layoutShift() {
  return new Promise(resolve => {
    /** @type {{ sum: number, moved: string[] }} */
    const shift = { sum: 0, moved: [] }
    new PerformanceObserver(list => {
      const shifts = /** @type {LayoutShift[]} */ (list.getEntries())
      for (const { value, hadRecentInput, sources } of shifts) {
        if (hadRecentInput) continue
        shift.sum += value
        shift.moved.push(...sources.map(({ node }) => node?.outerHTML?.slice(0, 80) ?? 'text'))
      }
    }).observe({ type: 'layout-shift', buffered: true })
    // The observer gets what was recorded before in its first call. A page without shifts makes no call.
    setTimeout(() => resolve(shift), 100)
  })
}
