import { jest } from '@jest/globals'

type Answer = {
  readonly status?: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}
type Handler = (request: {
  readonly query: URLSearchParams
  readonly headers: Headers
  readonly body: unknown
}) => Answer | Promise<Answer>

/**
 * Stands in for the server in a test: answers `fetch` by "METHOD /path", and notes every request in `calls`. What no
 * handler knows is answered with 404.
 */
export function fakeServer(handlers: Readonly<Record<string, Handler>>): { readonly calls: string[] } {
  const calls: string[] = []
  globalThis.fetch = jest.fn<typeof fetch>(async (input, init) => {
    const url = new URL(String(input), 'http://localhost')
    const name = `${init?.method ?? 'GET'} ${url.pathname}`
    calls.push(name)
    const body: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : undefined
    const answer =
      (await handlers[name]?.({ query: url.searchParams, headers: new Headers(init?.headers), body })) ??
      refusal(404, 'NOT_FOUND', 'Not found.')
    return asResponse(answer)
  })
  return { calls }
}

/** A refusal as the server writes it. */
export const refusal = (status: number, code: string, message: string): Answer => ({
  status,
  body: { code, message, error: message, details: null, requestId: 'test' },
})

function asResponse({ status = 200, body, headers = {} }: Answer): Response {
  if (body === undefined) return new Response(null, { status, headers })
  return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } })
}
