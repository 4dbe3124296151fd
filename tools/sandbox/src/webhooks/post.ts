import { Agent as HttpAgent, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'

const TIMEOUT_MS = 10_000
const MAX_SOCKETS = 16

// Node's own client: `fetch` would load a second HTTP stack into a process that must stay small.
const agents = {
  http: new HttpAgent({ keepAlive: true, maxSockets: MAX_SOCKETS }),
  https: new HttpsAgent({ keepAlive: true, maxSockets: MAX_SOCKETS }),
}

export interface Posted {
  /** Null when no answer came. */
  readonly status: number | null
  readonly error: string | null
}

/** Posts JSON text and answers the result; never throws. */
export function post(url: string, body: string, headers: Readonly<Record<string, string>>): Promise<Posted> {
  return new Promise(resolve => {
    const isHttps = url.startsWith('https:')
    const call = (isHttps ? httpsRequest : httpRequest)(
      url,
      {
        method: 'POST',
        agent: isHttps ? agents.https : agents.http,
        timeout: TIMEOUT_MS,
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'content-length': Buffer.byteLength(body),
          'x-holdfast-sandbox': '1',
          ...headers,
        },
      },
      response => {
        response.resume()
        response.once('end', () => resolve({ status: response.statusCode ?? null, error: null }))
        response.once('error', error => resolve({ status: null, error: error.message }))
      },
    )
    call.once('timeout', () => call.destroy(new Error(`no answer within ${TIMEOUT_MS / 1000} s`)))
    call.once('error', (error: NodeJS.ErrnoException) => resolve({ status: null, error: error.code ?? error.message }))
    call.end(body)
  })
}

/** Closes idle connections. */
export function closeConnections(): void {
  agents.http.destroy()
  agents.https.destroy()
}
