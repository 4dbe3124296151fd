import type { Server as HttpServer } from 'node:http'
import { Server, type Socket } from 'node:net'
import { DomainError } from '@holdfast/kernel/errors'
import { newId } from '@holdfast/kernel/ids'
import { MAX_REQUEST_BYTES } from '@holdfast/kernel/requests'
import { FastifyAdapter } from '@nestjs/platform-fastify'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { Connections } from './connections.js'
import { bodyOf } from './error-filter.js'
import { refusalOf } from './refusal.js'

/** A request must have arrived whole within this time: as long as a slow line needs for a listing's images. */
export const REQUEST_TIMEOUT_MS = 120_000

/**
 * Nest's Fastify, with our limits and our words for what is malformed below HTTP.
 *
 * @param trustedProxies networks whose X-Forwarded-For is believed; nobody's when empty
 */
export function createAdapter(trustedProxies: readonly string[] = []): ServiceAdapter {
  return new ServiceAdapter({
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
    bodyLimit: MAX_REQUEST_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    genReqId: () => newId(),
    // What comes over a connection that is still open is served to the end.
    return503OnClosing: false,
    skipMiddie: true,
    frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
      const refusal = refusalOf(error)
      reply.header('x-request-id', request.id).code(refusal.status).send(bodyOf(refusal, request.id))
    },
    clientErrorHandler: (_, socket) => refuseUnreadable(socket),
  })
}

/** Nest's Fastify adapter, with errors and shutdown as we want them. */
export class ServiceAdapter extends FastifyAdapter {
  #connections: Connections | undefined
  #ended: Promise<void> | undefined

  /**
   * Nest sets its error handler only while it initialises; once a plugin has been awaited before that, Fastify has given
   * the routes registered so far the handler it knew. So `startService` sets ours at once, and it stays.
   */
  override setErrorHandler(): ReturnType<FastifyAdapter['setErrorHandler']> {
    return this.instance as unknown as ReturnType<FastifyAdapter['setErrorHandler']>
  }

  /** Keeps an eye on the server's connections, for `stopListening`. Call before it listens. */
  watch(): void {
    this.#connections = new Connections(this.getHttpServer() as HttpServer)
  }

  /** Waits until the connections that clients believe they have are taken. */
  async takeArrived(): Promise<void> {
    await this.#connections?.arrived()
  }

  /**
   * Takes no new connection, and waits until those that are open have ended or are not in use; what comes over them
   * meanwhile is answered, and the answers must end them.
   *
   * Node's own `close` of an HTTP server would break every connection that is kept alive at this very moment, with the
   * next request perhaps on its way; so this is the one of plain TCP.
   */
  async stopListening(): Promise<void> {
    const server = this.getHttpServer() as HttpServer
    this.#ended = new Promise(resolve => Server.prototype.close.call(server, () => resolve()))
    await this.#connections?.quiet()
  }

  /** Nest calls this between its hooks: what uses the database ends before the database does. */
  override async close(): Promise<void> {
    const stop = this.#connections?.endSilent()
    ;(this.getHttpServer() as HttpServer).closeIdleConnections()
    await this.#ended
    stop?.()
    await super.close()
  }
}

/** Node could not even read the request; there is no reply object to answer with. */
function refuseUnreadable(socket: Socket): void {
  if (!socket.writable) return
  const body = JSON.stringify(bodyOf(refusalOf(new DomainError('MALFORMED_REQUEST')), newId()))
  const head = [
    'HTTP/1.1 400 Bad Request',
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}
