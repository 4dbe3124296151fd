import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { SCREENS } from '../screens/screens.js'
import { BASE_URL } from '../support/environment.js'
import { journey } from '../support/runner.js'
import { Links } from './links.js'
import { withReplaced } from './replaced-answer.js'
import { openPending } from './screen-deals.js'
import { hadOnly, keepPicture, openBrowser } from './visit.js'

const WIDE = 1440
const NARROW = 390
/**
 * How each screen is looked at. axe runs once for each: its rules about colours do not depend on the width, and the dark scheme changes
 * nothing but colours.
 */
const VIEWS = [
  { width: WIDE, height: 900, colorScheme: 'light' },
  { width: NARROW, height: 844, colorScheme: 'dark' },
]
/**
 * axe leaves the rule `target-size` of WCAG 2.2 out unless it is asked for it. Without `preload` it does not fetch the style sheets again, of which
 * only a rule that is off makes use, and knows nothing of sound, of which the product has none.
 */
const AXE_OPTIONS = { resultTypes: ['violations'], preload: false, rules: { 'target-size': { enabled: true } } }
/** Each screen must also fit at the width of 400 % zoom (WCAG 2.2, 1.4.10), and with text of twice its size (1.4.4). */
const ENLARGED = [
  { width: 320, text: '100%' },
  { width: WIDE, text: '200%' },
]
/** A cookie that has the form of a session's and belongs to none. */
const UNKNOWN_SESSION = { name: 'holdfast_session', value: 'A'.repeat(43), url: BASE_URL }
/** The short form: half as much for the browser to read on each page. */
const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/**
 * Checks every screen as one role: it fits at both widths and enlarged, has no errors in the console or network, is accessible in both
 * colour schemes, and has no dead link. All screens of a role are opened in one page, one after
 * the other.
 *
 * @param prepare resolves with people and deals; called when the first screen is opened
 * @returns the journeys, and `close` to call after the last one
 */
export function looksAs(role, browser, prepare) {
  let opened
  const links = new Links()
  const open = async () => {
    const { people, deals } = await prepare()
    opened ??= await openBrowser(browser, { person: people[role], width: WIDE })
    return { ...opened, people, deals }
  }
  const journeys = SCREENS[role].map(screen =>
    journey(
      `as ${role}: ${screen.name} fits and is accessible without errors, wide and narrow, light and dark, and fits enlarged`,
      async () => {
        const { page, trouble, people, deals } = await open()
        const all = await withPending(page, role, screen, people, deals)
        trouble.length = 0
        const checked = async () => {
          await look(page, `${role}-${screen.name}`, screen, all)
          await links.collect(page)
          // Before the answer is the server's again: a live event may let the page ask once more at any time.
          hadOnly(trouble, expectedTrouble(screen))
          await screen.undo?.(page)
        }
        await (screen.answer ? withReplaced(page, screen.answer, checked) : checked())
      },
    ),
  )
  journeys.push(
    journey(`as ${role}: every link on these screens leads somewhere`, async () => {
      const { page } = await open()
      await links.follow(page)
    }),
  )
  return { journeys, close: () => opened?.context.close() }
}

async function withPending(page, role, { path }, people, deals) {
  if (typeof path !== 'function' || !/pending/.test(path({ ...deals, pending: { id: 'pending' } }))) return deals
  // The page may still show the role's last unpaid deal, which is cancelled now.
  await page.goto('about:blank')
  return { ...deals, pending: await openPending(role, people) }
}

/** The refusals that must be seen on a screen, and the only ones that may be. */
function expectedTrouble({ refused = [], answer }) {
  const replaced = answer?.status >= 400 ? [new RegExp(`^${answer.status}: .*${answer.to.source}`)] : []
  return [...refused, ...replaced]
}

async function look(page, name, screen, deals) {
  const slug = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
  await page.setViewportSize({ width: WIDE, height: 900 })
  await page.emulateMedia({ colorScheme: 'light' })
  if (screen.hasSession) await page.context().addCookies([UNKNOWN_SESSION])
  // The page is not loaded as long as one of its first reads is awaited.
  const until = screen.answer?.hangs ? { waitUntil: 'commit' } : {}
  await page.goto(typeof screen.path === 'function' ? screen.path(deals) : screen.path, until)
  if (screen.hasSession) await page.context().clearCookies({ name: UNKNOWN_SESSION.name })
  await settle(page, screen)
  await page.evaluate(AXE)
  for (const view of VIEWS) {
    const { width, height, colorScheme } = view
    await page.setViewportSize({ width, height })
    await page.emulateMedia({ colorScheme })
    await fits(page, width)
    await keepPicture(page, `${slug}-${width}-${colorScheme}`)
    await isAccessible(page, view)
  }
  for (const { width, text } of ENLARGED) {
    await page.setViewportSize({ width, height: 844 })
    await setTextSize(page, text)
    await fits(page, width, ` with text of ${text}`)
    await keepPicture(page, `${slug}-${width}-${text.slice(0, -1)}`)
  }
}

const setTextSize = (page, size) =>
  page.evaluate(text => {
    document.documentElement.style.fontSize = text
  }, size)

/** Waits until the screen is complete: heading, words, loaded data, fonts and pictures. */
async function settle(page, { name, shows, prepare, reveals, answer }) {
  assert.ok(shows, `${name} has words that only the complete page shows`)
  assert.equal(Boolean(prepare), Boolean(reveals), `${name} has words for the state that it is led to`)
  if (!answer?.hangs) await page.locator('h1').first().waitFor()
  await hasAll(page, shows)
  if (prepare) {
    assert.equal(await showsAll(page, reveals), false, `${name}: its words appear only after its steps`)
    await prepare(page)
    await hasAll(page, reveals)
  }
  if (!answer?.hangs) await page.waitForFunction(() => !document.querySelector('[aria-busy="true"], .animate-breathe'))
  await page.evaluate(async () => {
    await document.fonts.ready
    const visible = [...document.images].filter(
      image => image.loading !== 'lazy' || image.getBoundingClientRect().top < innerHeight,
    )
    await Promise.all(visible.map(image => image.decode().catch(() => undefined)))
  })
}

/** A text that is visible: as the text of an element, the label of a field, or the name of a control. A string is all of it. */
const visible = (page, text) =>
  page
    .getByText(text, { exact: true })
    .or(page.getByLabel(text, { exact: true }))
    .filter({ visible: true })
    .first()

async function hasAll(page, texts) {
  for (const text of [texts].flat()) await visible(page, text).waitFor()
}

async function showsAll(page, texts) {
  for (const text of [texts].flat()) if ((await visible(page, text).count()) === 0) return false
  return true
}

async function fits(page, width, how = '') {
  const wide = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth <= clientWidth) return null
    const culprits = [...document.querySelectorAll('body *')].filter(
      element => element.getBoundingClientRect().right > clientWidth + 1,
    )
    return `${scrollWidth} px of ${clientWidth}: ${culprits
      .slice(-3)
      .map(element => element.outerHTML.slice(0, 120))
      .join(' … ')}`
  })
  assert.equal(wide, null, `scrolls sideways at ${width} px${how}`)
}

/** `axe` must be on the page already, because adding it takes longer than running it. */
async function isAccessible(page, { width, colorScheme }) {
  const found = await page.evaluate(async options => {
    const { violations } = await globalThis.axe.run(document, options)
    return violations.map(({ id, help, nodes }) => {
      const examples = nodes.slice(0, 3).map(({ html }) => `  ${html.slice(0, 160)}`)
      return [`${id}: ${help}`, ...examples].join('\n')
    })
  }, AXE_OPTIONS)
  assert.equal(found.join('\n'), '', `axe at ${width} px, ${colorScheme}`)
}
