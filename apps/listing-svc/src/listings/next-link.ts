import type { ListPosition, ListQuery } from './list-statement.js'

/** The `Link` header to the next page (RFC 8288): the same question, continued. */
export function nextLink(path: string, query: ListQuery, next: ListPosition): string {
  const { before, after, ...same } = query
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries({ ...same, ...next })) {
    if (value !== undefined) parameters.set(name, String(value))
  }
  return `<${path}?${parameters}>; rel="next"`
}
