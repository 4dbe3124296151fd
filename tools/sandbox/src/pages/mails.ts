import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import type { Context } from '../context.js'
import type { Html } from './html.js'
import { mailFrame, mailPage, mailsPage } from './mail-page.js'
import { textsPage } from './text-page.js'

type ById = { Params: { id: string } }
type Send = (reply: FastifyReply, content: Html, policy: string) => FastifyReply

const query = z.object({ to: z.string().max(320).default('') })
const POLICY = "form-action 'self'; frame-src 'self'; frame-ancestors 'none'"
/** The mail itself: its own styles, no script, nothing loaded. Only the page of the mail may frame it. */
const FRAME_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox"

/** The pages on which people who try the product read what it has sent them. */
export function mailPages(app: FastifyInstance, context: Context, send: Send): void {
  app.get('/mails', async (request, reply) => send(reply, mailsPage(context, query.parse(request.query).to), POLICY))
  app.get('/texts', async (_request, reply) => send(reply, textsPage(context), POLICY))
  app.get<ById>('/mails/:id', async (request, reply) => {
    const mail = context.state.mails.get(request.params.id)
    return mail ? send(reply, mailPage(context, mail), POLICY) : reply.code(404).send('There is no such mail.')
  })
  app.get<ById>('/mails/:id/html', async (request, reply) => {
    const body = context.state.mails.get(request.params.id)?.html
    if (!body) return reply.code(404).send('There is no such mail.')
    return reply
      .type('text/html; charset=utf-8')
      .headers({ 'content-security-policy': FRAME_POLICY, 'referrer-policy': 'no-referrer' })
      .send(mailFrame(body))
  })
}
