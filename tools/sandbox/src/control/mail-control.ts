import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { mailsTo } from '../mail/mails.js'
import type { ControlApiOptions } from './control-request.js'

const query = z.object({ to: z.string().max(320).optional() })

/** The mails that were received, for tests. */
export function mailControl(app: FastifyInstance, { context }: ControlApiOptions): void {
  app.get('/mails', async request => mailsTo(context, query.parse(request.query).to))
}
