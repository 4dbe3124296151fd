/**
 * The `Link` header of a list; null on its last page. A page that is full may have another behind it, which may be empty.
 *
 * @param asked path and query as the client sent them
 */
export function nextPageLink(asked: string, limit: number, page: readonly { readonly id: number }[]): string | null {
  const last = page.at(-1)
  if (!last || page.length < limit) return null
  const [path] = asked.split('?', 1)
  return `<${path}?limit=${limit}&before=${last.id}>; rel="next"`
}
