/**
 * The `Link` header of a page of a list, with the filters of the request; null on the last page. The page after a full
 * one may be empty.
 *
 * @param url path and query as the client sent them
 * @param limit the page size that was used, which the query may leave out
 */
export function nextPageLink(url: string, limit: number, page: readonly { readonly id: number }[]): string | null {
  const last = page.at(-1)
  if (!last || page.length < limit) return null
  const [path, query] = url.split('?', 2)
  const next = new URLSearchParams(query)
  next.set('limit', String(limit))
  next.set('before', String(last.id))
  return `<${path}?${next}>; rel="next"`
}
