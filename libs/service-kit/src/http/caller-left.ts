import { DomainError } from '@holdfast/kernel/errors'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Whether the caller's connection is closed. Work that has not begun may then be dropped: its result would not be read. */
export const hasCallerLeft = ({ raw }: FastifyRequest): boolean => raw.socket.destroyed

/**
 * The same as a signal, for work that waits in a queue: aborted when the connection closes before the answer was sent. Its
 * reason is a DomainError, so that work which ends with it is not logged as a fault.
 */
export function callerLeft({ raw }: Pick<FastifyReply, 'raw'>): AbortSignal {
  const controller = new AbortController()
  const leave = () => {
    if (!raw.writableEnded) controller.abort(new DomainError('UNAVAILABLE'))
  }
  if (raw.destroyed) leave()
  else raw.once('close', leave)
  return controller.signal
}
