import assert from 'node:assert/strict'

const NOWHERE = 'Page Not Found'

/** The links of the product to itself that stand on some screens: one of each kind, whatever ids they name. */
export class Links {
  /** By kind: one such path, and the places on its page that links name. */
  #found = new Map()
  #been = new Set()

  /** Takes up what the page links to; a place on the page itself must be there at once. */
  async collect(page) {
    const here = new URL(page.url())
    if ((await headingOf(page)) !== NOWHERE) this.#been.add(kindOf(here))
    const addresses = await page.locator('a[href]').evaluateAll(all => all.map(link => link.href))
    for (const address of new Set(addresses)) {
      const url = new URL(address)
      if (url.origin !== here.origin) continue
      if (url.hash && pathOf(url) === pathOf(here)) await hasPlace(page, url.hash)
      else this.#take(url)
    }
  }

  #take(url) {
    const kind = kindOf(url)
    const known = this.#found.get(kind) ?? { path: pathOf(url), places: new Set() }
    // Of deals the oldest: the newest may wait for its payment, and be gone before somebody goes there.
    if (pathOf(url).localeCompare(known.path, 'en', { numeric: true }) < 0) known.path = pathOf(url)
    if (url.hash) known.places.add(url.hash)
    this.#found.set(kind, known)
  }

  /** Goes to each that was no screen itself, and finds a page there, and the places on it. */
  async follow(page) {
    assert.ok(this.#found.size > 0, 'there are links')
    for (const [kind, { path, places }] of this.#found) {
      if (this.#been.has(kind) && places.size === 0) continue
      const answer = await page.goto(path)
      assert.ok(answer.ok(), `${path} answered ${answer.status()}`)
      // What the API says of itself is no screen.
      if (path.startsWith('/api/')) continue
      assert.notEqual(await headingOf(page), NOWHERE, `${path} is dead`)
      for (const place of places) await hasPlace(page, place)
    }
  }
}

const pathOf = ({ pathname, search }) => pathname + search
const kindOf = url => pathOf(url).replaceAll(/\d+/g, '{id}')
const headingOf = page => page.locator('h1').first().textContent()

const hasPlace = (page, hash) =>
  page
    .locator(`[id="${hash.slice(1)}"]`)
    .first()
    .waitFor({ state: 'attached' })
