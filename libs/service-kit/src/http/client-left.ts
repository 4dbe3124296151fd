import { DomainError } from '@holdfast/kernel/errors'
import type { FastifyReply } from 'fastify'

/**
 * A signal that is aborted when the client's connection closes before the answer was sent. Work that has not begun may then
 * be dropped: nobody will read its result. Its reason is a DomainError, so that passing it on is no fault.
 */
export function clientLeft({ raw }: Pick<FastifyReply, 'raw'>): AbortSignal {
  const controller = new AbortController()
  const leave = () => {
    if (!raw.writableEnded) controller.abort(new DomainError('UNAVAILABLE'))
  }
  if (raw.destroyed) leave()
  else raw.once('close', leave)
  return controller.signal
}
