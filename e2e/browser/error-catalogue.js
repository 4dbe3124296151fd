import assert from 'node:assert/strict'
import { CATALOGUE } from '../screens/error-catalogue.js'
import { Deal, listingBody } from '../support/deal.js'
import { Person } from '../support/person.js'
import { journey } from '../support/runner.js'
import { keepPicture, openBrowser } from './visit.js'

/** Every row of the catalogue of messages, each on the page on which a person meets it. */
export const errorCatalogue = browser => {
  let prepared
  return CATALOGUE.map(each =>
    journey(`a person reads the words for: ${each.row}`, async () => {
      prepared ??= prepare()
      await check(browser, each, await prepared)
    }),
  )
}

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

async function check(browser, { row, as, path, refused, act, shows }, world) {
  const { context, page } = await openBrowser(browser, { person: world[as] })
  try {
    let refusals = 0
    if (refused)
      await page.route(refused.path, route => {
        if (route.request().method() !== refused.method) return route.continue()
        refusals++
        return route.fulfill({ status: refused.status, json: {} })
      })
    await page.goto(typeof path === 'function' ? path(world) : path)
    await act?.(page, world)
    for (const text of shows) await page.getByText(text, { exact: false }).first().waitFor()
    assert.equal(refusals > 0, Boolean(refused), 'the call was made')
  } catch (error) {
    await keepPicture(page, `failed-words-${row.toLowerCase().replaceAll(/[^a-z]+/g, '-')}`)
    throw error
  } finally {
    await context.close()
  }
}
