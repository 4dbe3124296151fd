import assert from 'node:assert/strict'
import { NO_IDS, NO_ROUTES, NOBODYS_ID, ROUTES } from '../screens/routes.js'
import { Deal, listingBody } from '../support/deal.js'
import { findMediator } from '../support/demo.js'
import { PASSWORD, Person } from '../support/person.js'
import { journey } from '../support/runner.js'
import { UNKNOWN_PARCEL, withBrowsers } from './visit.js'

/** What a page that is not there answers, and what it then asks for in vain. */
const NOT_THERE = [/^404: GET /, /^403: GET /]

/** The buyer of this journey was never paid out. */
const NO_PAYOUT = /^404: GET \/api\/payouts\//

/** The route table, row by row: as a visitor, as a party, as a stranger, and with addresses that are wrong. */
export const routeJourneys = browser => {
  let prepared
  const world = () => {
    prepared ??= prepare()
    return prepared
  }
  return [
    journey('a visitor sees every public page of the route table, and 404 for the console', async () => {
      const all = await world()
      await withBrowsers(browser, 'routes-visitor', [{ mayRefuse: NOT_THERE }], async ({ page }) => {
        await page.goto('/')
        for (const row of ROUTES.filter(({ access }) => access !== 'user')) {
          await open(page, addressOf(row, all))
          await isPage(page, row.access === 'admin' ? NOWHERE : row, all)
        }
        for (const path of NO_ROUTES) await isMissing(page, path, NOWHERE)
        await refusesMalformed(page, 'public')
        await open(page, `/listing/${NOBODYS_ID}`)
        await hasHeading(page, 'Listing Not Found')
      })
    }),

    journey(
      'a visitor who opens a page of the route table that needs a session signs in on it, and is on that page then',
      async () => {
        const all = await world()
        await withBrowsers(
          browser,
          'routes-sign-in',
          [{ mayRefuse: [UNKNOWN_PARCEL, NO_PAYOUT] }],
          async ({ page, context }) => {
            for (const row of ROUTES.filter(({ access }) => access === 'user')) {
              const address = `${addressOf(row, all)}?from=mail`
              await page.goto(address)
              await hasHeading(page, row.signedOut ?? 'Welcome back')
              assert.equal(pathOf(page), address, 'the address stays')
              await page.getByLabel('Email').fill(all.buyer.email)
              await page.getByLabel('Password').fill(PASSWORD)
              await page.locator('form').getByRole('button', { name: 'Sign In' }).click()
              await isPage(page, row, all)
              if (!row.endsAt) assert.equal(pathOf(page), address, 'the sign-in leads to where the person wanted to go')
              // The page of the next row must not ask anything while it is left.
              await page.goto('about:blank')
              await context.clearCookies()
            }
          },
        )
      },
    ),

    journey(
      'a signed-in user sees every page of the route table: by its address, with a slash at its end, and after a reload',
      async () => {
        const all = await world()
        const people = [{ person: all.buyer, mayRefuse: [...NOT_THERE, UNKNOWN_PARCEL] }]
        await withBrowsers(browser, 'routes-user', people, async ({ page }) => {
          for (const row of ROUTES.filter(({ access }) => access !== 'admin')) {
            const shown = { ...row, ...row.signedIn }
            const address = addressOf(row, all)
            await page.goto(address === '/' ? '/?from=mail' : `${address}/?from=mail`)
            await isPage(page, shown, all)
            if (shown.endsAt) assert.equal(pathOf(page), said(shown.endsAt, all))
            await page.reload()
            await isPage(page, shown, all)
          }
          await refusesMalformed(page, 'user')
          for (const { path } of ROUTES.filter(({ access }) => access === 'admin')) {
            await open(page, path)
            await isPage(page, NOWHERE)
          }
        })
      },
    ),

    journey('a stranger learns nothing at the addresses of other people, and an admin sees the console', async () => {
      const all = await world()
      const people = [
        { person: all.stranger, mayRefuse: NOT_THERE },
        { person: await findMediator(), mayRefuse: NOT_THERE },
      ]
      await withBrowsers(browser, 'routes-stranger', people, async ({ page }, { page: console_ }) => {
        await page.goto('/')
        for (const row of ROUTES.filter(({ access, missing }) => access === 'user' && missing))
          for (const address of [addressOf(row, all), row.path.replace(/:\w+/, NOBODYS_ID)]) {
            await open(page, address)
            await hasHeading(page, row.missing)
          }
        await console_.goto('/')
        for (const row of ROUTES.filter(({ access }) => access === 'admin')) {
          await open(console_, row.path)
          await isPage(console_, row, all)
        }
      })
    }),
  ]
}

const NOWHERE = { heading: 'Page Not Found', text: "The page you're looking for doesn't exist or has been moved." }

async function prepare() {
  const [buyer, seller, stranger] = await Promise.all(['Rita', 'Remo', 'Olga'].map(name => Person.signUp(name)))
  const create = more => seller.expect(201, 'POST', '/api/listings', { body: listingBody(more) })
  const [listing, hidden, deal] = await Promise.all([
    create({ title: 'Ship’s clock, eight days' }),
    create({ title: 'Barograph under glass', isPrivate: true }),
    Deal.at('shipped', {}, { buyer, seller }),
  ])
  const invitation = await seller.expect(201, 'POST', `/api/listings/${hidden.id}/invitations`, { body: {} })
  const body = { transactionId: deal.id, reason: 'damaged_item', description: 'The mirror is cracked.' }
  const { id: disputeId } = await buyer.expect(201, 'POST', '/api/disputes', { body })
  const [{ paymentId }] = await buyer.expect(200, 'GET', '/api/payments')
  const receipt = await buyer.expect(200, 'GET', `/api/payments/${paymentId}`)
  return { buyer, seller, stranger, listing, hidden, invitation, deal, disputeId, receipt }
}

/**
 * @param {import('../screens/routes.js').Row} row
 * @param {any} world
 */
const addressOf = ({ path, at }, world) => (at ? at(world) : path)
const said = (words, world) => (typeof words === 'function' ? words(world) : words)
const pathOf = page => page.url().replace(/^https?:\/\/[^/]+/, '')

/** Opens each page of this access with what is no id. */
async function refusesMalformed(page, wanted) {
  for (const { path, access, missing, malformed = missing } of ROUTES)
    if (access === wanted && path.includes(':id'))
      for (const id of NO_IDS) await isMissing(page, path.replace(':id', id), { heading: malformed })
}

/** The server answers 404 at this address, and the page says what is not there. */
async function isMissing(page, path, shown) {
  assert.equal(await statusOf(page, path), 404, `${path} answers 404`)
  await open(page, path)
  await isPage(page, shown)
}

/** Goes to an address inside the app, as Back and Forward do. It takes a twentieth of the time of a load. */
const open = (page, path) =>
  page.evaluate(to => {
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)

/** What the server answers at an address. */
const statusOf = (page, path) => page.evaluate(async to => (await fetch(to)).status, path)

async function hasHeading(page, name) {
  await page
    .getByRole('heading', { level: 1, name, exact: true })
    .waitFor()
    .catch(async () => {
      const shown = await page.locator('h1').allTextContents()
      assert.deepEqual(shown, [name], `the heading at ${pathOf(page)}`)
    })
}

/**
 * Waits until the page has its heading, and checks its title, its landmarks, and that it has no other main heading.
 *
 * @param {import('playwright-core').Page} page
 * @param {import('../screens/routes.js').Shown} shown
 * @param {any} [world]
 */
async function isPage(page, { heading, title = heading, text }, world) {
  await hasHeading(page, said(heading, world))
  if (text) await page.getByText(text, { exact: true }).waitFor()
  const titled = said(title, world)
  const wanted = titled === 'Holdfast' ? titled : `${titled} · Holdfast`
  await page
    .waitForFunction(wants => document.title === wants, wanted)
    .catch(async () => {
      assert.equal(await page.title(), wanted, `the title at ${pathOf(page)}`)
    })
  assert.equal(await page.locator('h1').count(), 1, `${pathOf(page)} has one h1`)
  for (const role of /** @type {const} */ (['banner', 'main', 'contentinfo']))
    assert.equal(await page.getByRole(role).count(), 1, `${pathOf(page)} has one ${role}`)
  // Help stands at the same place on every page (WCAG 2.2, 3.2.6).
  const help = page.getByRole('contentinfo').getByRole('link', { name: 'Help Center' })
  assert.equal(await help.count(), 1, `${pathOf(page)} leads to help`)
}
