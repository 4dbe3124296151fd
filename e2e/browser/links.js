import assert from 'node:assert/strict'

const NOWHERE = 'Page Not Found'

/** The links of the product to itself that stand on some screens: one of each kind, whatever ids they name. */
export class Links {
  #found = new Map()
  #been = new Set()

  /** Takes up what the page links to; a place on the page itself must be there at once. */
  async collect(page) {
    const here = new URL(page.url())
    if ((await headingOf(page)) !== NOWHERE) this.#been.add(kindOf(here.pathname + here.search))
    const addresses = await page.locator('a[href]').evaluateAll(all => all.map(link => link.href))
    for (const address of new Set(addresses)) {
      const { origin, pathname, search, hash } = new URL(address)
      if (origin !== here.origin) continue
      if (pathname === here.pathname && search === here.search && hash) await hasPlace(page, hash)
      const path = pathname + search + hash
      const kind = kindOf(path)
      const known = this.#found.get(kind)
      // Of deals the oldest: the newest may wait for its payment, and be gone before somebody goes there.
      if (!known || path.localeCompare(known, 'en', { numeric: true }) < 0) this.#found.set(kind, path)
    }
  }

  /** Goes to each that was no screen itself, and finds a page there, and the place on it that the link names. */
  async follow(page) {
    assert.ok(this.#found.size > 0, 'there are links')
    const dead = []
    for (const [kind, path] of this.#found) {
      if (this.#been.has(kind)) continue
      await page.goto(path)
      if ((await headingOf(page)) === NOWHERE) dead.push(path)
      else await hasPlace(page, new URL(page.url()).hash)
    }
    assert.deepEqual(dead, [])
  }
}

const kindOf = path => path.replaceAll(/\d+/g, '{id}')
const headingOf = page => page.locator('h1').first().textContent()

async function hasPlace(page, hash) {
  if (hash)
    await page
      .locator(`[id="${hash.slice(1)}"]`)
      .first()
      .waitFor({ state: 'attached' })
}
