import { DomainError, unknownOutcome } from '@holdfast/kernel/errors'
import { isSafe } from '@holdfast/service-kit/http/safe-methods'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import { counter } from '@holdfast/service-kit/telemetry/metrics'
import type { FastifyReply } from 'fastify'
import { FORWARDED_RESPONSE_HEADERS } from './forwarded-headers.js'

const log = loggerOf('forwarding')
const upstreamFailures = counter('gateway_upstream_failures_total', 'Requests that a service gave no answer to', [
  'service',
  'outcome',
])

export const sentAgain = counter(
  'gateway_requests_sent_again_total',
  'Requests that were sent again because a replica hung',
  ['service'],
)

interface Unanswered {
  readonly error: Error
  readonly service: string
  readonly method: string
  /** Whether the service may have received the request. */
  readonly wasSent: boolean
}

/** Refuses a request that got no answer. For a write that was sent, the refusal says that its outcome is unknown. */
export function refuseUnanswered(reply: FastifyReply, { error, service, method, wasSent }: Unanswered): void {
  const unknown = wasSent && !isSafe(method)
  upstreamFailures.inc({ service, outcome: unknown ? 'unknown' : 'not_done' })
  log.warn({ err: error, service, method, unknown }, 'a service gave no answer')
  refuse(reply, unknown ? unknownOutcome() : new DomainError('UNAVAILABLE'))
}

/** Refuses a request, without the headers of a service's answer that were set already. */
export function refuse(reply: FastifyReply, refusal: DomainError): void {
  for (const name of FORWARDED_RESPONSE_HEADERS) reply.removeHeader(name)
  reply.send(refusal)
}

/** Whether the service took longer than the time limit of an answer. Such a request is not sent again. */
export const isTimeout = (error: Error): boolean => 'code' in error && TIMEOUTS.has(String(error.code))
const TIMEOUTS = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'])
