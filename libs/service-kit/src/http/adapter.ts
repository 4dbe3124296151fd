import type { Server as HttpServer } from 'node:http'
import { Server, type Socket } from 'node:net'
import { setImmediate as afterReading } from 'node:timers/promises'
import { DomainError } from '@holdfast/kernel/errors'
import { newId } from '@holdfast/kernel/ids'
import { MAX_REQUEST_BYTES } from '@holdfast/kernel/requests'
import { FastifyAdapter } from '@nestjs/platform-fastify'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { Connections } from './connections.js'
import { bodyOf } from './error-filter.js'
import { refusalOf } from './refusal.js'

/**
 * The headers of a request must arrive within this time after the connection opened or, for a later request, after their first
 * byte. By Node's defaults (60 s, checked every 30 s) a slow connection was open for 60 to 90 s.
 */
export const HEADERS_TIMEOUT_MS = 10_000
/** How often Node looks for connections that are too slow. */
const CHECK_CONNECTIONS_MS = 1_000
/** A request must arrive completely within this time, in which a slow connection can send a listing's images. */
export const REQUEST_TIMEOUT_MS = 120_000

/**
 * Nest's Fastify adapter with our limits, and with our error body for unreadable requests.
 *
 * @param trustedProxies networks whose X-Forwarded-For is trusted; none when empty
 */
export function createAdapter(trustedProxies: readonly string[] = []): ServiceAdapter {
  return new ServiceAdapter({
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
    bodyLimit: MAX_REQUEST_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: { headersTimeout: HEADERS_TIMEOUT_MS, connectionsCheckingInterval: CHECK_CONNECTIONS_MS },
    genReqId: () => newId(),
    // While the service closes, requests on connections that are still open are served.
    return503OnClosing: false,
    skipMiddie: true,
    frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
      const refusal = refusalOf(error)
      reply.header('x-request-id', request.id).code(refusal.status).send(bodyOf(refusal, request.id))
    },
    clientErrorHandler: (_, socket) => refuseUnreadable(socket),
  })
}

/** Nest's Fastify adapter with our error handler and our shutdown. */
export class ServiceAdapter extends FastifyAdapter {
  #connections: Connections | undefined
  #ended: Promise<void> | undefined

  /**
   * Does nothing, because `startService` has set our error handler. Nest would set its own later, and routes registered
   * before that, such as those of an awaited plugin, would keep Fastify's default.
   */
  override setErrorHandler(): ReturnType<FastifyAdapter['setErrorHandler']> {
    // Nest declares the result with another type provider than that of its own instance.
    return this.instance as unknown as ReturnType<FastifyAdapter['setErrorHandler']>
  }

  /** Records the server's connections, for `stopListening`. Call before it listens. */
  watch(): void {
    this.#connections = new Connections(this.getHttpServer() as HttpServer)
  }

  /** Waits until the process has accepted the connections in the system's queue. */
  async takeArrived(): Promise<void> {
    await this.#connections?.arrived()
  }

  /**
   * Takes no new connection, and waits until the open ones have ended or are idle. Requests that arrive meanwhile are still
   * answered; those answers must close their connections.
   *
   * Node's `close` of an HTTP server ends every idle keep-alive connection at once, although a request may be on its way.
   * So this calls the `close` of a plain TCP server.
   */
  async stopListening(): Promise<void> {
    const server = this.getHttpServer() as HttpServer
    this.#ended = new Promise(resolve => Server.prototype.close.call(server, () => resolve()))
    await this.#connections?.quiet()
  }

  /** Nest calls this between its shutdown hooks, so requests end before the database connections do. */
  override async close(): Promise<void> {
    const stop = this.#connections?.endSilent()
    // Requests that have arrived meanwhile are read first, so their connections are not idle.
    await afterReading()
    ;(this.getHttpServer() as HttpServer).closeIdleConnections()
    await this.#ended
    stop?.()
    await super.close()
  }
}

/**
 * Answers a request that Node could not parse or that did not arrive in time, for which there is no reply object. A browser
 * opens connections in advance. On one that has sent nothing, an answer could be taken for that of its next request.
 */
function refuseUnreadable(socket: Socket): void {
  if (socket.bytesRead === 0) return void socket.destroy()
  if (!socket.writable) return
  const body = JSON.stringify(bodyOf(refusalOf(new DomainError('MALFORMED_REQUEST')), newId()))
  const head = [
    'HTTP/1.1 400 Bad Request',
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  // `end` alone would wait for the client to close the connection, too.
  socket.destroySoon()
}
