import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { CATALOGUE } from '../screens/error-catalogue.js'
import { MESSAGE_ROWS, PROVED_BESIDE_THE_CODE } from '../screens/message-rows.js'
import { Deal, listingBody } from '../support/deal.js'
import { PASSWORD, Person } from '../support/person.js'
import { journey } from '../support/runner.js'
import { keepFailure, openBrowser } from './visit.js'

/** Every row of the catalogue of messages, each on the page on which a person meets it. */
export const errorCatalogue = browser => {
  let prepared
  const rows = CATALOGUE.map(each =>
    journey(`a person reads the words for: ${each.row}`, async () => {
      prepared ??= prepare()
      await check(browser, each, await prepared)
    }),
  )
  return [...rows, everyRow]
}

/** The words of the two calls that no screen makes. */
const API_ROWS = ['Login failure', 'Registration failure']

const everyRow = journey('every row of the catalogue of messages has a journey or a test of its name', async () => {
  const person = await Person.signUp('Rolf')
  const wrong = { email: person.email, password: 'not the password' }
  const login = await new Person().expect(401, 'POST', '/api/auth/login', { body: wrong })
  assert.equal(login.error, 'Invalid credentials')
  const { firstName, lastName, email } = person
  const again = { firstName, lastName, email, username: `${person.username}.2`, password: PASSWORD }
  const register = await new Person().expect(409, 'POST', '/api/auth/register', { body: again })
  assert.equal(register.error, 'Email may already be in use.')

  const proved = [...CATALOGUE.map(({ row }) => row), ...Object.keys(PROVED_BESIDE_THE_CODE), ...API_ROWS]
  for (const row of MESSAGE_ROWS)
    assert.ok(
      proved.some(each => each.startsWith(row)),
      `"${row}" has an entry`,
    )
  // `npm test` runs these tests. This only finds that one is missing.
  for (const [row, file] of Object.entries(PROVED_BESIDE_THE_CODE)) {
    const tests = readFileSync(new URL(`../../apps/web/src/${file}`, import.meta.url), 'utf8')
    assert.ok(tests.includes(`\ntest('the words for: ${row}`), `${file} has a test of "${row}"`)
  }
})

async function prepare() {
  const [buyer, seller, other, eager] = await Promise.all(
    ['Bea', 'Sam', 'Olga', 'Eve'].map(name => Person.signUp(name)),
  )
  const people = { buyer, seller }
  const at = status => Deal.at(status, {}, people)
  const listing = await seller.expect(201, 'POST', '/api/listings', { body: listingBody() })
  const [paid, toShip, shipped] = await Promise.all([at('paid'), at('paid'), at('shipped')])
  const [pending, unwanted] = await Promise.all([at('pending'), at('pending')])
  const hidden = await seller.expect(201, 'POST', '/api/listings', { body: listingBody({ isPrivate: true }) })
  const invitation = await seller.expect(201, 'POST', `/api/listings/${hidden.id}/invitations`, { body: {} })
  const offer = listingBody({ userRole: 'seller', selectedUserId: other.id })
  // As many as one may make before the address is confirmed.
  for (let made = 0; made < 3; made++) await eager.expect(201, 'POST', '/api/listings', { body: offer })
  return { buyer, seller, other, eager, invitation, listing, paid, toShip, shipped, pending, unwanted }
}

/**
 * @param {import('playwright-core').Browser} browser
 * @param {typeof CATALOGUE[number]} entry
 * @param {any} world
 */
async function check(browser, { row, as, path, refused, act, shows }, world) {
  const { context, page } = await openBrowser(browser, { person: as && world[as] })
  try {
    let refusals = 0
    if (refused)
      await page.route(refused.path, route => {
        if (route.request().method() !== refused.method) return route.continue()
        refusals++
        return route.fulfill({ status: refused.status, json: refused.json })
      })
    await page.goto(typeof path === 'function' ? path(world) : path)
    await act?.(page, world)
    for (const text of shows) await page.getByText(text, { exact: false }).first().waitFor()
    assert.equal(refusals > 0, Boolean(refused), 'the call was made')
  } catch (error) {
    await keepFailure(page, `words-${row.toLowerCase().replaceAll(/[^a-z]+/g, '-')}`)
    throw error
  } finally {
    await context.close()
  }
}
