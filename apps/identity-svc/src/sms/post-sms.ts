import { z } from 'zod'
import type { SmsAccount } from './sms-config.js'

export const SEND_WITHIN_MS = 15_000

/** The person has answered STOP (https://www.twilio.com/docs/api/errors/21610). */
export const STOPPED_CODE = 21610

export type SmsAnswer =
  | { readonly kind: 'sent'; readonly providerId: string }
  /** The person wants no texts from our number. */
  | { readonly kind: 'stopped' }
  /** Another attempt would be refused, too. */
  | { readonly kind: 'refused'; readonly words: string }
  | {
      readonly kind: 'failed'
      readonly words: string
      /** False when there is no answer, or it does not say: the text may still arrive, and cost money. */
      readonly isSurelyNotSent: boolean
    }

/** A text to send. */
export interface Sms {
  /** In E.164 form. */
  readonly to: string
  readonly body: string
  /** Where the provider reports what became of it. */
  readonly statusCallback: string
}

const Created = z.object({ sid: z.string() })
/** Its message is left out: it has the number, which must be in no log. */
const Refused = z.object({ code: z.number().optional() })

/**
 * Sends a text by Twilio's Messages API (https://www.twilio.com/docs/messaging/api/message-resource). The API knows no idempotency key: when
 * its answer is lost and the text is sent again, it may arrive twice.
 */
export async function postSms(sms: Sms, account: SmsAccount, apiUrl: string): Promise<SmsAnswer> {
  const { sid, token, from } = account
  const form = { To: sms.to, From: from, Body: sms.body, StatusCallback: sms.statusCallback }
  try {
    const answer = await fetch(`${apiUrl}/2010-04-01/Accounts/${sid}/Messages.json`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${sid}:${token}`).toString('base64')}` },
      body: new URLSearchParams(form),
      redirect: 'error',
      signal: AbortSignal.timeout(SEND_WITHIN_MS),
    })
    return answerOf(answer.status, await answer.json())
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error)
    return { kind: 'failed', words, isSurelyNotSent: NOT_CONNECTED.has(codeOf(error)) }
  }
}

function answerOf(status: number, body: unknown): SmsAnswer {
  if (status < 300) return { kind: 'sent', providerId: Created.parse(body).sid }
  const { code } = Refused.safeParse(body).data ?? {}
  if (code === STOPPED_CODE) return { kind: 'stopped' }
  const words = `the provider answered ${status}, code ${code}`
  // A wrong login is our fault and not the text's: the texts wait until an operator has acted on the warning.
  const isOurFaultOrTemporary = status === 401 || status === 403 || status === 429 || status >= 500
  return isOurFaultOrTemporary ? { kind: 'failed', words, isSurelyNotSent: status < 500 } : { kind: 'refused', words }
}

/** Without a connection nothing was asked for. */
const NOT_CONNECTED: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

/** `fetch` wraps what has happened. */
const codeOf = (error: unknown): unknown =>
  error instanceof Error && error.cause instanceof Error && 'code' in error.cause ? error.cause.code : undefined
