/** Fastify's own limit (`maxParamLength`): a longer value of a path parameter matches no route. */
const MAX_PARAM_LENGTH = 100

const PARAM = `[^/]{1,${MAX_PARAM_LENGTH}}`

/** The methods of every path, to distinguish 405 from 404. It is used only when no route matched. */
export class RouteTable {
  readonly #entries: { readonly method: string; readonly pattern: RegExp }[] = []

  /** @param url a template in Fastify's form, such as `/api/listings/:id` */
  add(method: string, url: string): void {
    // A wildcard route matches every path, so it does not show that a path exists.
    if (url === '/*') return
    const source = url
      .split('/')
      .map(part => (part.startsWith(':') ? PARAM : part === '*' ? '.*' : literally(part)))
      .join('/')
    this.#entries.push({ method, pattern: new RegExp(`^${source}$`) })
  }

  /** @param target path and query as the client sent them */
  methodsOf(target: string): readonly string[] {
    const path = target.split('?', 1)[0]!
    return [...new Set(this.#entries.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method))].sort()
  }
}

const literally = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
