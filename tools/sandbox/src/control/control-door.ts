import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Context } from '../context.js'
import type { Faults } from './faults.js'

export interface ControlDoor {
  readonly context: Context
  readonly faults: Faults
}

/** A wish of the sandbox's user that cannot be: told to them as it is. */
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

/** Keeps what was done, then answers: with JSON, or, to the page's own form, with the way back to the page. */
export async function done(door: ControlDoor, request: FastifyRequest, reply: FastifyReply, answer: unknown) {
  await door.context.state.commit()
  if (request.headers['content-type']?.startsWith('application/x-www-form-urlencoded')) return reply.redirect('/', 303)
  return reply.send(answer)
}
