import { type Page, pages } from '@holdfast/contracts/pages'
import { escapeHtml } from '@holdfast/kernel/html'
import { MAX_PAGE_SIZE } from '@holdfast/kernel/requests'
import { isDoneWithin } from '@holdfast/service-kit/lifecycle/waiting'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import { listingUrl } from './page-head.js'

/** The most addresses that one sitemap may hold (https://www.sitemaps.org/protocol.html). */
const MAX_SITEMAP_URLS = 50_000
/** How long a sitemap is kept before a new one is made. */
export const SITEMAP_AGE_MS = 10 * 60_000
/** The longest wait of a request for a sitemap, and of a sitemap for one page of listings. */
export const SITEMAP_TIMEOUT_MS = 2_000

const log = loggerOf('sitemap')

interface SitemapOptions {
  readonly publicUrl: string
  /** Returns the ids of public listings on sale, highest first; only those below `before` when it is given. */
  readonly listActiveIds: (query: { readonly limit: number; readonly before?: number }) => Promise<readonly number[]>
  readonly maxUrls?: number
  readonly timeoutMs?: number
  readonly nowMs?: () => number
}

/**
 * The sitemap: every public page, and the newest public listings on sale.
 *
 * It is made at a request and then kept for a while. Requests that arrive while it is being made wait for the same one.
 * When listing-svc fails or is slow, the previous one is returned again.
 */
export class Sitemap {
  private made: { readonly xml: string; readonly atMs: number } | null = null
  private making: Promise<void> | null = null
  private readonly nowMs: () => number

  constructor(private readonly options: SitemapOptions) {
    this.nowMs = options.nowMs ?? (() => performance.now())
  }

  /**
   * The sitemap as XML, within the time-out. A new one that is not ready by then is finished nevertheless, for later requests.
   *
   * @returns null when the new one failed or is not ready, and there is no previous one
   */
  async get(): Promise<string | null> {
    if (this.made && this.nowMs() - this.made.atMs < SITEMAP_AGE_MS) return this.made.xml
    this.making ??= this.make().finally(() => {
      this.making = null
    })
    await isDoneWithin(this.options.timeoutMs ?? SITEMAP_TIMEOUT_MS, this.making)
    return this.made?.xml ?? null
  }

  private async make(): Promise<void> {
    const atMs = this.nowMs()
    try {
      this.made = { xml: sitemapXml(await this.urls()), atMs }
    } catch (error) {
      log.warn({ err: error, hasPrevious: this.made !== null }, 'the sitemap could not be made')
    }
  }

  private async urls(): Promise<string[]> {
    const { publicUrl, listActiveIds, maxUrls = MAX_SITEMAP_URLS } = this.options
    const urls = Object.values<Page>(pages)
      .filter(({ path, access, indexed }) => access === 'public' && indexed && !path.includes(':'))
      .map(({ path }) => publicUrl + path)
    for (let before: number | undefined; urls.length < maxUrls; ) {
      const ids = await listActiveIds({ limit: MAX_PAGE_SIZE, ...(before === undefined ? {} : { before }) })
      urls.push(...ids.map(id => listingUrl(id, publicUrl)))
      if (ids.length < MAX_PAGE_SIZE) break
      before = ids.at(-1)!
    }
    return urls.slice(0, maxUrls)
  }
}

function sitemapXml(urls: readonly string[]): string {
  const entries = urls.map(url => `<url><loc>${escapeHtml(url)}</loc></url>`)
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${entries.join('\n')}
</urlset>
`
}
