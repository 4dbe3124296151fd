import assert from 'node:assert/strict'
import { Person } from '../support/person.js'
import { journey } from '../support/runner.js'
import { hasFocus } from './keyboard.js'
import { keepPicture, withBrowsers } from './visit.js'

/** The routes render after this long even when it is not known who is signed in (spec section 2). */
const STARTUP_MS = 1_500
/** A timer begins a moment before the page shows what it waits for. */
const EARLY_MS = 300
/** Within this time a page that is loaded again and again would have been loaded a second time. */
const SETTLED_MS = 3_000
const SUPPORT_CODE = /\/assets\/support-page-[^/]*\.js$/
const CODE_IS_GONE = /support-page/

/** How one gets from page to page. */
export const navigationJourneys = browser => [
  journey(
    'a link leads to the top of the next page, with its title and the focus on it; Back and Forward lead to where one was',
    () =>
      withBrowsers(browser, 'navigation', [{ width: 390 }], async ({ page }) => {
        await page.goto('/')
        const link = page.getByRole('contentinfo').getByRole('link', { name: 'Help Center' })
        await link.scrollIntoViewIfNeeded()
        const left = await page.evaluate(() => scrollY)
        assert.ok(left > 500, 'the link is far down')
        await link.click()
        await isAt(page, 'Support Center', 'Support Center · Holdfast')
        assert.equal(await page.evaluate(() => scrollY), 0, 'the next page begins at its top')
        await hasFocus(page.getByRole('main'), 'the content of the next page')
        await page.goBack()
        await isAt(page, 'Your money stays put until the item is right.', 'Holdfast')
        await page.waitForFunction(wanted => Math.abs(scrollY - wanted) < 50, left)
        await page.goForward()
        await isAt(page, 'Support Center', 'Support Center · Holdfast')
        await page.getByRole('contentinfo').getByRole('link', { name: 'Escrow Terms' }).click()
        await isAt(page, 'Legal Information', 'Legal Information · Holdfast')
        await page.getByRole('tab', { name: 'Escrow Terms', selected: true }).waitFor()
        await page.reload()
        await page.getByRole('tab', { name: 'Escrow Terms', selected: true }).waitFor()
      }),
  ),

  journey('an address with a section begins there, and a reload begins where one was', () =>
    withBrowsers(browser, 'sections', [{ width: 390 }], async ({ page }) => {
      // What was left further down on another page of the tab says nothing about this one.
      await page.goto('/legal')
      await page.evaluate(() => scrollTo(0, 900))
      await page.goto('/platform#fees')
      await isTop(page, '#fees')
      await page.evaluate(() => scrollTo(0, 300))
      await page.reload()
      await page.waitForFunction(() => scrollY === 300)
      await page.goto('/legal?tab=privacy#cookies')
      await isTop(page, '#cookies')
    }),
  ),

  journey('a page with changes that are not saved asks before it is left, and not after they were saved', async () => {
    const person = await Person.signUp('Pia')
    await withBrowsers(browser, 'leave', [{ person }], async ({ page }) => {
      await page.goto('/dashboard')
      await page.goto('/profile')
      const name = page.getByLabel('First Name')
      const question = page.getByRole('alertdialog', { name: 'Leave without saving?' })
      await name.fill('Philippa')
      await page.getByRole('banner').getByRole('link', { name: 'Browse' }).click()
      await hasFocus(question.getByRole('button', { name: 'Stay' }), 'the button that leaves nothing')
      await keepPicture(page, 'leave-question')
      await page.keyboard.press('Enter')
      await question.waitFor({ state: 'detached' })
      assert.equal(await name.inputValue(), 'Philippa')
      await page.getByRole('button', { name: 'Save Changes' }).click()
      await page.getByText('Profile Updated', { exact: true }).waitFor()
      await page.getByRole('banner').getByRole('link', { name: 'Browse' }).click()
      await isAt(page, 'Browse Items', 'Browse Items · Holdfast')
      await page.goBack()
      await page.getByLabel('First Name').fill('Pia')
      // Back asks, too.
      await page.goForward()
      await question.getByRole('button', { name: 'Leave' }).click()
      await isAt(page, 'Browse Items', 'Browse Items · Holdfast')
    })
  }),

  journey('code that did not come is there after the page has loaded itself again, which it does once', () =>
    withBrowsers(browser, 'code', [{ mayRefuse: [CODE_IS_GONE] }], async ({ page }) => {
      const support = page.getByRole('contentinfo').getByRole('link', { name: 'Help Center' })
      let asked = 0
      await page.route(SUPPORT_CODE, route => (asked++ === 0 ? route.abort('connectionreset') : route.continue()))
      await page.goto('/')
      await support.click()
      await isAt(page, 'Support Center', 'Support Center · Holdfast')
      await page.evaluate(() => sessionStorage.clear())

      // As after a deployment, when the files of the version that runs are gone.
      await page.unroute(SUPPORT_CODE)
      await page.goto('/')
      await page.route(SUPPORT_CODE, route => route.fulfill({ status: 404 }))
      let loads = 0
      page.on('load', () => loads++)
      await support.click()
      await page.waitForFunction(() => {
        const [navigation] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType('navigation'))
        return navigation?.type === 'reload'
      })
      await page.getByRole('heading', { level: 1, name: 'This page could not be loaded' }).waitFor()
      await page.waitForTimeout(SETTLED_MS)
      assert.equal(loads, 1, 'the page was loaded again once')
      await page.unroute(SUPPORT_CODE)
      await page.getByRole('button', { name: 'Load the Page Again' }).click()
      await isAt(page, 'Support Center', 'Support Center · Holdfast')
    }),
  ),

  journey('every link and button of the shell leads where the spec says, for a visitor and for a user', async () => {
    const person = await Person.signUp('Nina')
    await withBrowsers(browser, 'shell', [{}, { person }], async ({ page: visitor }, { page: user }) => {
      await Promise.all([visitor, user].map(page => page.goto('/')))
      await leadTo(visitor.getByRole('banner'), { 'How It Works': '/platform', 'Start Transaction': '/create-listing' })
      await leadTo(visitor.getByRole('banner'), { 'Sign In': '/auth' })
      await leadTo(visitor.getByRole('main'), { 'Get Started': '/auth', 'Sign Up Now': '/auth' })
      await leadTo(visitor.getByRole('main'), { 'Upgrade to Premium': '/upgrade', 'Contact Sales': '/enterprise' })
      await leadTo(visitor.getByRole('main'), { 'Start Transaction': '/auth' })
      await leadTo(user.getByRole('main'), { 'Start Transaction': '/create-listing' })
      await leadTo(user.getByRole('banner'), { 'Dispute Resolution': '/dispute-resolution', Messages: '/messages' })
      await leadTo(user.getByRole('contentinfo'), FOOTER)
      await user.getByRole('button', { name: /^Account of/ }).click()
      await leadTo(user.getByRole('menu'), ACCOUNT, 'menuitem')
    })
  }),

  journey(
    'the start says Loading..., and the page is drawn after a second and a half when nobody says who is signed in',
    async () => {
      const person = await Person.signUp('Lara')
      await withBrowsers(browser, 'startup', [{ person }], async ({ page, context }) => {
        await context.route('**/api/auth/user', () => undefined)
        await page.addInitScript(noteFirstSights)
        await page.goto('/browse', { waitUntil: 'commit' })
        await page.getByRole('heading', { level: 1, name: 'Browse Items' }).waitFor()
        const { loading, banner, heading } = await page.evaluate(() => globalThis.firstSights)
        assert.ok(loading !== undefined, 'the page never said Loading...')
        assert.ok(banner > loading, 'something else showed before Loading...')
        const waited = heading - loading
        assert.ok(waited > STARTUP_MS - EARLY_MS, `the page was drawn after ${Math.round(waited)} ms`)
        await page
          .getByRole('link', { name: /\$/ })
          .or(page.getByText(/^\$[\d,]+\.\d\d$/))
          .first()
          .waitFor()
      })
    },
  ),
]

/**
 * Runs in the page and notes by its clock when it first showed each of three things.
 * This process would measure too little: on a busy machine it hears of the first of them late.
 */
function noteFirstSights() {
  const sights = {
    loading: () => document.querySelector('[role=status]')?.textContent?.includes('Loading...'),
    banner: () => document.querySelector('header'),
    heading: () => document.querySelector('h1'),
  }
  globalThis.firstSights = {}
  const note = () => {
    for (const [name, isShown] of Object.entries(sights))
      if (globalThis.firstSights[name] === undefined && isShown()) globalThis.firstSights[name] = performance.now()
  }
  new MutationObserver(note).observe(document, { childList: true, subtree: true, characterData: true })
}

const FOOTER = {
  'How It Works': '/platform#how-it-works',
  Fees: '/platform#fees',
  Security: '/platform#security',
  API: '/platform#api',
  'Help Center': '/support',
  'Contact Us': '/support?tab=contact',
  'Trust & Safety': '/support?tab=guides',
  'Dispute Resolution': '/dispute-resolution',
  'Terms of Service': '/legal?tab=terms',
  'Privacy Policy': '/legal?tab=privacy',
  'Cookie Policy': '/legal?tab=privacy#cookies',
  'Escrow Terms': '/legal?tab=escrow',
}
const ACCOUNT = {
  Dashboard: '/dashboard',
  Profile: '/profile',
  Messages: '/messages',
  'File Dispute': '/file-dispute',
  'Get Verified': '/verification',
  Upgrade: '/upgrade',
}

/** Checks the addresses of links in a part of the page, by their names. */
async function leadTo(part, links, role = 'link') {
  for (const [name, address] of Object.entries(links))
    assert.equal(await part.getByRole(role, { name, exact: true }).first().getAttribute('href'), address, name)
}

const isTop = (page, selector) =>
  page.waitForFunction(wanted => {
    const top = document.querySelector(wanted)?.getBoundingClientRect().top
    return top !== undefined && Math.abs(top) < 120
  }, selector)

async function isAt(page, heading, title) {
  await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor()
  await page.waitForFunction(wanted => document.title === wanted, title)
}
