import http, { type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import https from 'node:https'
import { isNetworkCode } from '@holdfast/service-kit/http/network-trouble'

/** The server was silent for too long: while the connection was made, before the answer, or in the middle of it. */
export class StorageSilent extends Error {
  override readonly name = 'StorageSilent'
}

/** The server answered that it cannot serve now. */
export class StorageOverloaded extends Error {
  override readonly name = 'StorageOverloaded'
}

/** Statuses of a server, or of a proxy before it, that cannot serve now: those for which the client would repeat a request. */
const OVERLOADED = new Set([408, 429, 499, 500, 502, 503, 504, 520])
/** Codes of S3 for a request that met another one, that was too slow, or that was damaged on the way: it may succeed if it is repeated. */
const REPEATABLE = new Set([
  ...['ConditionalRequestConflict', 'OperationAborted', 'RequestTimeout'],
  ...['BadDigest', 'XAmzContentSHA256Mismatch', 'IncompleteBody'],
])

/** Whether an error says that the storage could not serve, so that the same request may succeed later. */
export function isOutage(error: unknown): boolean {
  if (error instanceof StorageSilent || error instanceof StorageOverloaded) return true
  const { code } = (error ?? {}) as { code?: unknown }
  return isNetworkCode(code) || REPEATABLE.has(String(code))
}

/**
 * How requests to S3 are sent: over connections that are kept, and with a limit for silence, since the client has none. A server that
 * has nothing to send because the reader of the answer is slow is not silent. The number of connections has no limit of its own: each
 * belongs to a request that the service has admitted.
 */
export function s3Transport(secure: boolean, silenceMs: number): Pick<typeof http, 'request'> {
  const { request } = secure ? https : http
  const agent = new (secure ? https : http).Agent({ keepAlive: true, timeout: silenceMs })
  const send = (options: RequestOptions, onResponse: (response: IncomingMessage) => void): ClientRequest => {
    const sent = request({ ...options, agent, timeout: silenceMs }, response => {
      const { statusCode } = response
      if (statusCode === undefined || !OVERLOADED.has(statusCode)) return onResponse(response)
      response.destroy()
      // The client does not tell the status of an answer whose body is not the XML of S3.
      sent.emit('error', new StorageOverloaded(`the object storage answered ${statusCode}`))
    })
    return endSilence(sent, silenceMs)
  }
  return { request: send as typeof http.request }
}

function endSilence(sent: ClientRequest, silenceMs: number): ClientRequest {
  let answer: IncomingMessage | undefined
  const onSilence = (): void => {
    // Its reader takes a break. The time begins again when the reader goes on.
    if (answer?.isPaused()) answer.socket.setTimeout(silenceMs, onSilence)
    else (answer ?? sent).destroy(new StorageSilent(`the object storage was silent for ${silenceMs} ms`))
  }
  return sent
    .once('response', response => {
      answer = response
      const { socket } = response
      response.on('resume', () => socket.setTimeout(silenceMs))
      // The connection is kept for further requests, which have time limits of their own.
      response.once('close', () => socket.off('timeout', onSilence))
    })
    .once('timeout', onSilence)
}
