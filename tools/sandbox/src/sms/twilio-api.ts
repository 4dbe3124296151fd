import { createHmac, randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Faults } from '../control/faults.js'
import { sameText } from '../http/keys.js'
import type { SmsRecord } from './records.js'

const REPORT_WITHIN_MS = 5_000
const messageForm = z.object({
  To: z.string().regex(/^\+[1-9]\d{7,14}$/),
  From: z.string(),
  Body: z.string().min(1).max(1_600),
  StatusCallback: z.url().optional(),
})

/** Numbers that refuse, by how they end: the person has answered STOP; nobody has the number; the text is taken and does not arrive. */
export const STOPPED_ENDING = '0610'
export const UNKNOWN_ENDING = '0211'
const UNREACHED_ENDING = '0006'

export interface TwilioOptions {
  readonly account: { readonly sid: string; readonly token: string }
  /** The text is taken when it resolves. */
  readonly keep: (sms: SmsRecord) => Promise<unknown>
  readonly faults: Pick<Faults, 'take'>
  readonly now: () => number
}

/** The part of Twilio's API that sends texts, under `/2010-04-01`. It reports to the address that the call names, signed as Twilio signs. */
export async function twilioApi(app: FastifyInstance, { account, keep, faults, now }: TwilioOptions): Promise<void> {
  app.addContentTypeParser(/^application\/x-www-form-urlencoded/, { parseAs: 'string' }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  )
  app.post<{ Params: { sid: string } }>('/Accounts/:sid/Messages.json', async (request, reply) => {
    const refuse = (status: number, code: number, message: string) => reply.code(status).send({ code, message, status })
    const login = Buffer.from(/^Basic (\S+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '', 'base64').toString()
    if (!sameText(login, `${account.sid}:${account.token}`)) return refuse(401, 20003, 'Authenticate')
    const fault = faults.take(request.method, request.url)
    if (fault?.kind === 'rate_limit') return refuse(429, 20429, 'Too Many Requests')
    if (fault?.kind === 'error') return refuse(500, 20500, 'Internal Server Error')
    const parsed = messageForm.safeParse(request.body)
    if (!parsed.success) return refuse(400, 21211, "The 'To' number is not a valid phone number.")
    const { To: to, From: from, Body: body, StatusCallback: callback } = parsed.data
    if (to.endsWith(STOPPED_ENDING)) return refuse(400, 21610, 'Attempt to send to unsubscribed recipient')
    if (to.endsWith(UNKNOWN_ENDING)) return refuse(400, 21211, "The 'To' number is not a valid phone number.")
    const id = `SM${randomBytes(16).toString('hex')}`
    await keep({ id, receivedAt: now(), to, from, body })
    if (fault?.kind === 'lose_answer') {
      reply.hijack()
      return request.raw.socket.destroy()
    }
    if (callback) {
      const arrived = !to.endsWith(UNREACHED_ENDING)
      const status = arrived ? { MessageStatus: 'delivered' } : { MessageStatus: 'undelivered', ErrorCode: '30006' }
      report(callback, { MessageSid: id, To: to, ...status }, account.token).catch((error: unknown) =>
        app.log.warn({ err: error }, 'the product could not be told about a text'),
      )
    }
    return reply.code(201).send({ sid: id, status: 'queued', to, from, body, error_code: null, error_message: null })
  })
}

/** Twilio's signature: https://www.twilio.com/docs/usage/security#validating-requests */
export function signatureOf(url: string, fields: Readonly<Record<string, string>>, token: string): string {
  const text = Object.keys(fields)
    .sort()
    .map(name => name + fields[name])
    .join('')
  return createHmac('sha1', token)
    .update(url + text)
    .digest('base64')
}

async function report(url: string, fields: Record<string, string>, token: string): Promise<void> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'x-twilio-signature': signatureOf(url, fields, token) },
    body: new URLSearchParams(fields),
    signal: AbortSignal.timeout(REPORT_WITHIN_MS),
  })
  await answer.body?.cancel()
  if (!answer.ok) throw new Error(`the product answered ${answer.status}`)
}
