import { MAX_PAGE_SIZE } from '@holdfast/kernel/requests'
import { SITEMAP_AGE_MS, Sitemap } from './sitemap.js'

const PUBLIC_URL = 'https://holdfast.example'

/** A sitemap over listings with the ids `count` down to 1. The test sets the time. */
class Scene {
  nowMs = 0
  fails = false
  /** The list is answered once this is resolved. */
  hung: Promise<void> = Promise.resolve()
  readonly queries: { limit: number; before?: number }[] = []
  readonly sitemap: Sitemap

  constructor(count: number, maxUrls?: number) {
    this.sitemap = new Sitemap({
      publicUrl: PUBLIC_URL,
      nowMs: () => this.nowMs,
      timeoutMs: 20,
      ...(maxUrls === undefined ? {} : { maxUrls }),
      listActiveIds: async query => {
        this.queries.push(query)
        await this.hung
        if (this.fails) throw new Error('listing-svc is down')
        const first = Math.min(count, (query.before ?? Number.POSITIVE_INFINITY) - 1)
        return Array.from({ length: Math.min(query.limit, first) }, (_, i) => first - i)
      },
    })
  }
}

const addressesIn = (xml: string | null) => [...(xml ?? '').matchAll(/<loc>([^<]*)<\/loc>/g)].map(match => match[1]!)

describe('the sitemap', () => {
  it('contains the public pages and every listing, from all pages of the list', async () => {
    const { sitemap, queries } = new Scene(2 * MAX_PAGE_SIZE + 1)
    const xml = await sitemap.get()
    expect(xml?.startsWith('<?xml version="1.0" encoding="UTF-8"?>\n<urlset')).toBe(true)
    const addresses = addressesIn(xml)
    expect(addresses).toContain(`${PUBLIC_URL}/`)
    expect(addresses).toContain(`${PUBLIC_URL}/browse`)
    expect(addresses).not.toContain(`${PUBLIC_URL}/dashboard`)
    expect(addresses.filter(address => address.includes('/listing/'))).toHaveLength(2 * MAX_PAGE_SIZE + 1)
    expect(addresses.at(-1)).toBe(`${PUBLIC_URL}/listing/1`)
    expect(addresses.filter(address => address.includes(':', PUBLIC_URL.length))).toEqual([])
    expect(queries.map(({ before }) => before)).toEqual([undefined, MAX_PAGE_SIZE + 2, 2])
  })

  it('contains only the newest listings when there are too many', async () => {
    const { sitemap, queries } = new Scene(10 * MAX_PAGE_SIZE, MAX_PAGE_SIZE)
    const addresses = addressesIn(await sitemap.get())
    expect(addresses).toHaveLength(MAX_PAGE_SIZE)
    expect(addresses).toContain(`${PUBLIC_URL}/listing/${10 * MAX_PAGE_SIZE}`)
    expect(queries).toHaveLength(1)
  })

  it('is made once for requests at the same time, and kept for a while', async () => {
    const scene = new Scene(1)
    const [one, two] = await Promise.all([scene.sitemap.get(), scene.sitemap.get()])
    expect(one).toBe(two)
    scene.nowMs = SITEMAP_AGE_MS - 1
    await scene.sitemap.get()
    expect(scene.queries).toHaveLength(1)
    scene.nowMs = SITEMAP_AGE_MS
    await scene.sitemap.get()
    expect(scene.queries).toHaveLength(2)
  })

  it('is missing, or the previous one, when making it takes too long, and is kept once it is made', async () => {
    const scene = new Scene(1)
    let answer = () => {}
    const hang = () => {
      scene.hung = new Promise(resolve => {
        answer = resolve
      })
    }
    hang()
    expect(await scene.sitemap.get()).toBeNull()
    answer()
    const made = await scene.sitemap.get()
    expect(scene.queries).toHaveLength(1)
    scene.nowMs = SITEMAP_AGE_MS
    hang()
    expect(await scene.sitemap.get()).toBe(made)
    answer()
  })

  it('is the previous one while a new one cannot be made, and is missing when there is none', async () => {
    const scene = new Scene(1)
    scene.fails = true
    expect(await scene.sitemap.get()).toBeNull()
    scene.fails = false
    const made = await scene.sitemap.get()
    scene.nowMs = SITEMAP_AGE_MS
    scene.fails = true
    expect(await scene.sitemap.get()).toBe(made)
  })
})
