import { PAGE_SIZE } from '@holdfast/kernel/requests'

interface PagedAnswer {
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * Answers a list as the server does: only items with one of the statuses, with the role and with the words that are asked for,
 * newest first, page by page with a `Link` to the next one.
 */
export function answerPages<
  Item extends {
    readonly id: number
    readonly status: string
    readonly viewerRole?: string
    readonly listing?: { readonly title: string }
  },
>(items: readonly Item[], pageSize = PAGE_SIZE): (request: { readonly query: URLSearchParams }) => PagedAnswer {
  return ({ query }) => {
    const statuses = query.getAll('status')
    const role = query.get('role')
    const q = query.get('q')?.toLowerCase() ?? ''
    const before = Number(query.get('before') ?? Number.POSITIVE_INFINITY)
    const matching = items
      .filter(({ status }) => statuses.length === 0 || statuses.includes(status))
      .filter(({ viewerRole }) => role === null || viewerRole === undefined || viewerRole === role)
      .filter(({ listing }) => listing === undefined || listing.title.toLowerCase().includes(q))
      .toSorted((a, b) => b.id - a.id)
      .filter(({ id }) => id < before)
    const page = matching.slice(0, pageSize)
    const last = page.at(-1)
    if (!last || matching.length === page.length) return { body: page }
    const next = new URLSearchParams(query)
    next.set('before', String(last.id))
    return { body: page, headers: { link: `</list?${next}>; rel="next"` } }
  }
}
