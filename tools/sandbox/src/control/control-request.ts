import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Context } from '../context.js'
import type { Faults } from './faults.js'

/** What the sandbox's own API works with. */
export interface ControlApiOptions {
  readonly context: Context
  readonly faults: Faults
}

/** A request to the sandbox's own API that is refused; the person sees the message. */
export class ControlError extends Error {
  constructor(
    readonly status: 400 | 403 | 404 | 409 | 422,
    message: string,
  ) {
    super(message)
  }
}

/** @throws ControlError 422 naming the first field that is wrong */
export function parseBody<S extends z.ZodType>(schema: S, body: unknown): z.output<S> {
  const result = schema.safeParse(body ?? {})
  if (result.success) return result.data
  const issue = result.error.issues[0]!
  throw new ControlError(422, `${issue.path.join('.') || 'body'}: ${issue.message}`)
}

/** Keeps the changes, then answers: with JSON, or, to a form of the page, with a redirect to the page. */
export async function done(options: ControlApiOptions, request: FastifyRequest, reply: FastifyReply, answer: unknown) {
  await options.context.state.commit()
  if (request.headers['content-type']?.startsWith('application/x-www-form-urlencoded')) return reply.redirect('/', 303)
  return reply.send(answer)
}
