import type { ErrorBody } from '@holdfast/contracts/errors'
import { DomainError } from '@holdfast/kernel/errors'
import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { loggerOf } from '../telemetry/logging.js'
import { recordError } from '../telemetry/telemetry.js'
import { type Refusal, refusalOf, refusalOfRead } from './refusal.js'
import type { RouteTable } from './route-table.js'
import { isSafe } from './safe-methods.js'
import { findUndeclared } from './undeclared-refusal.js'

/** The Retry-After of a 503 or 429 whose error names none, in seconds. */
const RETRY_AFTER_SECONDS = 1

/** Answers every thrown error with an `ErrorBody`. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  readonly #log = loggerOf('http')

  /** @param strict whether a refusal that its contract does not declare ends the process or fails the test */
  constructor(
    private readonly routes: RouteTable,
    private readonly strict: boolean,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp()
    this.answer(error, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>())
  }

  answer(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    if (isBrokenOff(error, request)) return void this.#recordBreakOff(request, reply)
    const toRefusal = isSafe(request.method) ? refusalOfRead : refusalOf
    const refusal = toRefusal(this.#orNotAllowed(error, request, reply))
    if (this.strict) insistOnContract(error, refusal, request)
    if (refusal.fault) this.#record(error, refusal, request)
    if (refusal.fault && request.span) recordError(request.span, error)
    if (reply.sent || reply.raw.headersSent) {
      // Part of the answer is sent. Ending the connection is the only way left to tell the client that it is incomplete.
      reply.raw.destroy()
      return
    }
    const retryAfter = retryAfterOf(refusal)
    if (retryAfter !== null) reply.header('retry-after', String(retryAfter))
    reply.code(refusal.status).type('application/json; charset=utf-8').send(bodyOf(refusal, request.id))
  }

  /** A path that exists only for other methods is 405, and the answer names these. */
  #orNotAllowed(error: unknown, request: FastifyRequest, reply: FastifyReply): unknown {
    if (!request.is404) return error
    const allowed = this.routes.methodsOf(request.url)
    if (allowed.length === 0) return error
    reply.header('allow', allowed.join(', '))
    return new DomainError('METHOD_NOT_ALLOWED')
  }

  /** The client has closed the connection. Nothing can be answered, and it is not a fault of ours. */
  #recordBreakOff(request: FastifyRequest, reply: FastifyReply): void {
    const reason = request.raw.errored?.message
    const about = { requestId: request.id, method: request.method, route: request.routeOptions.url, reason }
    this.#log.info(about, 'a request ended before its body was complete')
    reply.hijack()
  }

  #record(error: unknown, refusal: Refusal, request: FastifyRequest): void {
    const about = { err: error, requestId: request.id, method: request.method, route: request.routeOptions.url }
    if (refusal.status === 503) this.#log.warn(about, 'a request could not be served')
    else this.#log.error(about, 'a request failed')
  }
}

/** Throws outside the request, where the error is not caught. So a test fails even if it does not check the code. */
function insistOnContract(error: unknown, refusal: Refusal, { routeOptions }: FastifyRequest): void {
  const { route } = routeOptions.config
  const undeclared = route ? findUndeclared(route, error, refusal) : null
  if (!undeclared) return
  queueMicrotask(() => {
    throw undeclared
  })
}

/** Whether the client's connection ended in the middle of the body. Its error looks like that of a lost database. */
const isBrokenOff = (error: unknown, { raw }: FastifyRequest): boolean => raw.errored !== null && error === raw.errored

/** The body of a refusal. */
export function bodyOf(refusal: Refusal, requestId: string): ErrorBody {
  const { code, message, details } = refusal
  return { code, message, error: message, details: details ?? null, requestId }
}

function retryAfterOf({ status, details }: Refusal): number | null {
  const asked = details?.retryAfterSeconds
  if (typeof asked === 'number') return Math.max(1, Math.ceil(asked))
  return status === 503 || status === 429 ? RETRY_AFTER_SECONDS : null
}
