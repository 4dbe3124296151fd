import assert from 'node:assert/strict'

const NOWHERE = 'Page Not Found'

/** The internal links on some screens, one of each kind. Links that differ only in an id are of one kind. */
export class Links {
  /** By kind: one path, and the anchors on its page that links refer to. */
  #found = new Map()
  #visited = new Set()

  /** Collects the links of a page. A link to an anchor on the same page is checked at once. */
  async collect(page) {
    const here = new URL(page.url())
    if ((await headingOf(page)) !== NOWHERE) this.#visited.add(kindOf(here))
    const addresses = await page.locator('a[href]').evaluateAll(all => all.map(link => link.href))
    for (const address of new Set(addresses)) {
      const url = new URL(address)
      if (url.origin !== here.origin) continue
      if (url.hash && pathOf(url) === pathOf(here)) await hasAnchor(page, url.hash)
      else this.#take(url)
    }
  }

  #take(url) {
    const kind = kindOf(url)
    const known = this.#found.get(kind) ?? { path: pathOf(url), anchors: new Set() }
    // The oldest of several deals, because the newest may be unpaid and be cancelled before the link is followed.
    if (pathOf(url).localeCompare(known.path, 'en', { numeric: true }) < 0) known.path = pathOf(url)
    if (url.hash) known.anchors.add(url.hash)
    this.#found.set(kind, known)
  }

  /** Opens each link that is not one of the screens, and checks its page and the anchors on it. */
  async follow(page) {
    assert.ok(this.#found.size > 0, 'there are links')
    for (const [kind, { path, anchors }] of this.#found) {
      if (this.#visited.has(kind) && anchors.size === 0) continue
      const answer = await page.goto(path)
      assert.ok(answer.ok(), `${path} answered ${answer.status()}`)
      // The API's own documentation is not a screen of the app.
      if (path.startsWith('/api/')) continue
      assert.notEqual(await headingOf(page), NOWHERE, `${path} is dead`)
      for (const anchor of anchors) await hasAnchor(page, anchor)
    }
  }
}

const pathOf = ({ pathname, search }) => pathname + search
const kindOf = url => pathOf(url).replaceAll(/\d+/g, '{id}')
const headingOf = page => page.locator('h1').first().textContent()

const hasAnchor = (page, hash) =>
  page
    .locator(`[id="${hash.slice(1)}"]`)
    .first()
    .waitFor({ state: 'attached' })
