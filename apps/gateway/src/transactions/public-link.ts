/**
 * The `Link` header of a joined list: the page that the service behind it named, at the address the client knows.
 *
 * @param asked path and query as the client sent them
 * @param next path and query of the service's next page
 */
export function publicLink(asked: string, next: string): string {
  const [path] = asked.split('?', 1)
  const query = next.includes('?') ? next.slice(next.indexOf('?')) : ''
  return `<${path}${query}>; rel="next"`
}
