/**
 * Measures the pages of a started product, as Lighthouse sees them on a phone with a slow network, and how fast three
 * screens answer on a processor four times slower than this machine's. Prints a table of each, and exits with 1 when a
 * figure misses its aim. `npm run page-speed` starts the product for it.
 */
import { launchChromium } from '../browser/chromium.js'
import { DEMO_WITHIN_MS, findDemoPerson } from '../support/demo.js'
import { BASE_URL } from '../support/environment.js'
import { eventually } from '../support/eventually.js'
import { freePort } from './free-port.js'
import { measureInteractions } from './interactions.js'
import { measurePage } from './lighthouse.js'

const AIM = 95
const SLOWEST_ANSWER_MS = 100
/** The demo is filled in when Maya has as many deals and there are as many listings. */
const [DEALS, LISTINGS] = [5, 10]

const maya = await findDemoPerson('maya')
const pages = await pagesOf(maya)
const port = await freePort()
const browser = await launchChromium([`--remote-debugging-port=${port}`])
let missed = 0
try {
  process.stdout.write('\n  Lighthouse, mobile: performance, accessibility, best practices, SEO\n')
  for (const { name, path, cookie } of pages) {
    const { scores, timings } = await measurePage(BASE_URL + path, { port, cookie })
    if (Math.min(...scores) < AIM) missed++
    process.stdout.write(
      `  ${name.padEnd(14)} ${scores.map(score => String(score).padStart(4)).join('')}   ${timings}\n`,
    )
  }
  process.stdout.write('\n  Slowest answer to a touch or a key, processor four times slower\n')
  for (const { name, ms } of await measureInteractions(browser, maya)) {
    if (ms > SLOWEST_ANSWER_MS) missed++
    process.stdout.write(`  ${name.padEnd(32)} ${Math.round(ms).toString().padStart(5)} ms\n`)
  }
} finally {
  await browser.close()
}
process.exit(missed === 0 ? 0 : 1)

/** The pages that are measured: those of a visitor, and two of a signed-in user. */
async function pagesOf(person) {
  const first = (path, atLeast) =>
    eventually(
      `the demo has ${atLeast} at ${path}`,
      async () => {
        const list = await person.expect(200, 'GET', path)
        return list.length >= atLeast ? list[0] : null
      },
      { withinMs: DEMO_WITHIN_MS, everyMs: 1_000 },
    )
  const deal = await first('/api/transactions', DEALS)
  const listing = await first('/api/listings', LISTINGS)
  return [
    { name: 'landing', path: '/' },
    { name: 'browse', path: '/browse' },
    { name: 'listing', path: `/listing/${listing.id}` },
    { name: 'sign-in', path: '/auth' },
    { name: 'dashboard', path: '/dashboard', cookie: person.cookie },
    { name: 'transaction', path: `/transaction/${deal.id}`, cookie: person.cookie },
  ]
}
