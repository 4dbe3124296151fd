/**
 * Runs every journey through the started product: over its API, in a browser, and over every screen. Prints the sentence of
 * each, writes `{ passed, failures }` to E2E_RESULT, and exits with 1 when one failed.
 *
 * An argument selects the journeys whose sentence contains it, and JOURNEYS groups of them: `clocks` wait for deadlines, `demo` waits until the
 * demo is filled in, `threads` measure, `api` need no browser, `browsers` do. `JOURNEYS=clocks,api` runs two groups. To run them against a started product:
 *
 *     cd e2e && npm ci && BASE_URL=http://localhost:3000 SANDBOX_URL=<as printed> DAY_SECONDS=<as started> node run.js
 *
 * Three journeys need a product that was started with LOG_LEVEL=debug, and its printed LOGS_DIR; those about traces one that exports to
 * the Jaeger at JAEGER_URL. One needs SERVICE_PORTS, as in `{"escrow-svc": 29812}`: `ports.json` beside the logs
 * has the port of each service. Those of the runbooks need LOGS_DIR and the programs of an operator: bash, curl and psql.
 */
import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { access } from './api/access.js'
import { busyThreads, canMeasureThreads } from './api/busy-threads.js'
import { clocks } from './api/clocks.js'
import { closedAccount } from './api/closed-account.js'
import { dealWrites } from './api/deal-writes.js'
import { deals, keptTerms } from './api/deals.js'
import { demo } from './api/demo.js'
import { everyRoute } from './api/every-route.js'
import { garbage } from './api/garbage.js'
import { lists } from './api/lists.js'
import { oneRequest } from './api/one-request.js'
import { people } from './api/people.js'
import { OPERATORS_PROGRAMS, runbooks, runbooksWithTraces } from './api/runbooks.js'
import { traces } from './api/traces.js'
import { wholeJob } from './api/whole-job.js'
import { bankDecisionJourneys } from './browser/bank-decisions.js'
import { keyboardJourneys } from './browser/by-keys.js'
import { chatPictureJourneys } from './browser/chat-pictures.js'
import { chatReadingJourneys } from './browser/chat-reading.js'
import { launchChromium } from './browser/chromium.js'
import { closedAccountJourneys } from './browser/closed-accounts.js'
import { conversationJourneys } from './browser/conversations.js'
import { cryptoJourneys } from './browser/crypto.js'
import { disputeCaseJourneys } from './browser/dispute-cases.js'
import { disputeEndJourneys } from './browser/dispute-ends.js'
import { enquiryJourneys } from './browser/enquiries.js'
import { errorCatalogue } from './browser/error-catalogue.js'
import { firstScreenJourneys } from './browser/first-screens.js'
import { heldDealJourneys } from './browser/held-deals.js'
import { invitationJourneys } from './browser/invitations.js'
import { browserJourneys } from './browser/journeys.js'
import { lateChargebackJourneys } from './browser/late-chargebacks.js'
import { listingJourneys } from './browser/listing-changes.js'
import { looksAs } from './browser/look.js'
import { mailedLinkJourneys } from './browser/mailed-links.js'
import { navigationJourneys } from './browser/navigation.js'
import { operatorJourneys } from './browser/operators.js'
import { payoutJourneys } from './browser/payouts.js'
import { premiumJourneys } from './browser/premium.js'
import { receiptJourneys } from './browser/receipts.js'
import { reviewJourneys } from './browser/reviews.js'
import { routeJourneys } from './browser/routes.js'
import { prepareScreens } from './browser/screen-deals.js'
import { secondFactorJourneys } from './browser/second-factor.js'
import { textJourneys } from './browser/texts.js'
import { unpaidDealJourneys } from './browser/unpaid-deals.js'
import { verificationJourneys } from './browser/verification.js'
import { JAEGER_URL, LOGS_DIR, RESULT_FILE } from './support/environment.js'
import { Runner } from './support/runner.js'

/** Shorter than the time limit of `npm test`, so that the summary is still printed. */
const RUN_DEADLINE_MS = 28 * 60_000

/** V8 does not optimize code: a page is open for seconds, and looking at it with axe takes an eighth less of the processors so. */
const SHORT_PAGES = ['--js-flags=--no-opt']
/** As many as two processors can serve: four took as long. */
const BROWSER_LANES = 3
/** The groups with the longest journeys come first. */
const BROWSER_JOURNEYS = [
  browserJourneys,
  routeJourneys,
  keyboardJourneys,
  heldDealJourneys,
  disputeCaseJourneys,
  errorCatalogue,
  disputeEndJourneys,
  payoutJourneys,
  operatorJourneys,
  premiumJourneys,
  unpaidDealJourneys,
  mailedLinkJourneys,
  secondFactorJourneys,
  textJourneys,
  chatReadingJourneys,
  chatPictureJourneys,
  lateChargebackJourneys,
  cryptoJourneys,
  bankDecisionJourneys,
  conversationJourneys,
  enquiryJourneys,
  verificationJourneys,
  invitationJourneys,
  receiptJourneys,
  reviewJourneys,
  listingJourneys,
  navigationJourneys,
  firstScreenJourneys,
  closedAccountJourneys,
]
const ROLES = ['buyer', 'admin', 'seller', 'newcomer', 'visitor']

const GROUPS = process.env.JOURNEYS?.split(',')
const isIn = group => !GROUPS || GROUPS.includes(group)

const runner = new Runner()
const abort = new AbortController()
const only = process.argv[2] ? new RegExp(process.argv[2], 'i') : /./
const options = { only, signal: abort.signal }

function finish() {
  if (RESULT_FILE) writeFileSync(RESULT_FILE, JSON.stringify({ passed: runner.passed, failures: runner.failures }))
  process.stdout.write(`\n${runner.summary()}\n`)
  process.exit(runner.failed === 0 && runner.passed > 0 ? 0 : 1)
}

setTimeout(() => {
  abort.abort()
  runner.giveUp()
  finish()
}, RUN_DEADLINE_MS).unref()

const isInstalled = program =>
  (process.env.PATH ?? '').split(path.delimiter).some(folder => existsSync(path.join(folder, program)))

async function overTheApi() {
  // CI has the programs, so there a missing one fails.
  const canRun = process.env.CI || OPERATORS_PROGRAMS.every(isInstalled)
  if (LOGS_DIR && canRun) await runner.lane(runbooks, options)
  else runner.skip(runbooks, options, `since LOGS_DIR or one of ${OPERATORS_PROGRAMS.join(', ')} is missing`)
  const withLogs = [...oneRequest, ...closedAccount, ...keptTerms]
  if (LOGS_DIR) await runner.lane(withLogs, options)
  else runner.skip(withLogs, options, 'since LOGS_DIR does not say where the logs are (with LOG_LEVEL=debug)')
  const withTraces = [...traces, ...runbooksWithTraces]
  if (JAEGER_URL) await runner.lane(withTraces, options)
  else runner.skip(withTraces, options, 'since JAEGER_URL does not say where the traces are')
  await runner.lane(
    [...wholeJob, ...deals, ...lists, ...everyRoute, ...access, ...dealWrites, ...garbage, ...people],
    options,
  )
}

/** Several groups of journeys at a time, because a journey often waits for the server. */
async function inBrowsers() {
  const browser = await launchChromium(SHORT_PAGES)
  try {
    await runner.lanes(
      BROWSER_LANES,
      [...BROWSER_JOURNEYS.map(journeysWith => () => ({ journeys: journeysWith(browser) })), ...screens(browser)],
      options,
    )
  } finally {
    await browser.close()
  }
}

/** The screens of each role, which share the people and deals that the first of them needs. */
function screens(browser) {
  let prepared
  const prepare = () => {
    prepared ??= prepareScreens()
    return prepared
  }
  return ROLES.map(role => () => looksAs(role, browser, prepare))
}

try {
  const deadlines = isIn('clocks') && Promise.all(clocks.map(each => runner.lane([each], options)))
  const filledIn = isIn('demo') && runner.lane(demo, options)
  if (isIn('threads')) {
    // They measure, so nothing else may be asked for meanwhile. Those that wait for a deadline read one deal a second.
    await filledIn
    if (LOGS_DIR && canMeasureThreads()) await runner.lane(busyThreads, options)
    else runner.skip(busyThreads, options, 'since LOGS_DIR or Linux’ statistics of threads are missing')
  }
  // The journeys over the API mostly wait, so they run at the same time as the browsers.
  await Promise.all([deadlines, filledIn, isIn('api') && overTheApi(), isIn('browsers') && inBrowsers()])
} catch (error) {
  // The runner reports errors of journeys itself. This is another error, such as a browser that does not start.
  runner.fail('the journeys can be run', error)
}
finish()
