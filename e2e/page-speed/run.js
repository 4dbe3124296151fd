/**
 * Measures the pages of a started product with Lighthouse, as on a phone with a slow network, and how fast three screens respond
 * on a processor four times slower than this machine's. Prints a line for each, and exits with 1 when a figure misses its aim.
 * `npm run page-speed` starts the product for it.
 *
 * Other work on the machine can only make a figure worse. So a figure that misses its aim is measured again, up to `ROUNDS`
 * times, and the best one counts. An argument, a regular expression, selects lines by their name.
 */
import { launchChromium } from '../browser/chromium.js'
import { DEMO_WITHIN_MS, findDemoPerson } from '../support/demo.js'
import { BASE_URL } from '../support/environment.js'
import { eventually } from '../support/eventually.js'
import { freePort } from './free-port.js'
import { interactions } from './interactions.js'
import { measurePage } from './lighthouse.js'

const AIM = 95
const MAX_RESPONSE_MS = 100
const ROUNDS = 3
/** The demo is filled in when Maya has this many deals and there are this many listings. */
const [DEALS, LISTINGS] = [5, 10]

const maya = await findDemoPerson('maya')
const pages = await pagesOf(maya)
const port = await freePort()
const browser = await launchChromium([`--remote-debugging-port=${port}`])
const only = new RegExp(process.argv[2] ?? '', 'i')
let missed = 0
try {
  process.stdout.write('\n  Lighthouse, mobile: performance, accessibility, best practices, SEO\n')
  for (const { name, path, cookie } of pages.filter(({ name }) => only.test(name))) {
    const { scores, timings } = await bestOf(
      () => measurePage(BASE_URL + path, { port, cookie }),
      ({ scores }) => AIM - Math.min(...scores),
    )
    process.stdout.write(
      `  ${name.padEnd(14)} ${scores.map(score => String(score).padStart(4)).join('')}   ${timings}\n`,
    )
  }
  process.stdout.write('\n  Slowest response to a touch or a key, processor four times slower\n')
  for (const { name, measure } of interactions(browser, maya).filter(({ name }) => only.test(name))) {
    const { ms, name: event, waited, worked } = await bestOf(measure, ({ ms }) => ms - MAX_RESPONSE_MS)
    const parts = ms > MAX_RESPONSE_MS ? `   ${event}: waited ${waited} ms, script ${worked} ms, then rendering` : ''
    process.stdout.write(`  ${name.padEnd(32)} ${Math.round(ms).toString().padStart(5)} ms${parts}\n`)
  }
} finally {
  await browser.close()
}
process.exit(missed === 0 ? 0 : 1)

/** Measures until the aim is reached, at most `ROUNDS` times. Resolves with the best result, and counts it when it misses. */
async function bestOf(measure, missedBy) {
  let best
  for (let round = 0; round < ROUNDS; round++) {
    const result = await measure()
    if (!best || missedBy(result) < missedBy(best)) best = result
    if (missedBy(best) <= 0) return best
  }
  missed++
  return best
}

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
