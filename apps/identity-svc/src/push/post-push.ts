import { isPushService } from '@holdfast/kernel/push'
import webPush from 'web-push'
import type { PushConfig } from './push-config.js'

export const SEND_WITHIN_MS = 15_000

/** Where a push message goes, and the keys of the browser that reads it. */
export interface PushTarget {
  readonly endpoint: string
  readonly p256dh: string
  readonly auth: string
}

/** What the browser shows. There is no private word in it, because it stands on a locked screen. */
export interface PushPayload {
  readonly title: string
  /** The page to which it leads. */
  readonly path: string
  /** A later message with the same tag replaces it. */
  readonly tag: string
}

export type PushAnswer =
  | { readonly kind: 'sent' }
  /** The browser has no such subscription any more. */
  | { readonly kind: 'gone' }
  /** Another attempt would be refused, too. */
  | { readonly kind: 'refused'; readonly words: string }
  | { readonly kind: 'failed'; readonly words: string; readonly retryAfterMs: number }

interface PostOptions {
  readonly config: PushConfig
  /** How long the push service keeps it for a browser that is not there. */
  readonly ttlSeconds: number
}

/**
 * Encrypts a message for a browser (RFC 8291), signs the request (RFC 8292) and posts it to the browser's push service (RFC 8030). It never
 * follows a redirect: the address was checked, and another one is not.
 */
export async function postPush(
  { endpoint, p256dh, auth }: PushTarget,
  payload: PushPayload,
  { config, ttlSeconds }: PostOptions,
): Promise<PushAnswer> {
  // The list of services may have become shorter since the subscription was added.
  if (!isPushService(endpoint, config.PUSH_SERVICES)) return { kind: 'gone' }
  const { headers: all, body } = webPush.generateRequestDetails(
    { endpoint, keys: { p256dh, auth } },
    JSON.stringify(payload),
    {
      vapidDetails: { subject: `mailto:${config.SUPPORT_EMAIL}`, ...config.VAPID_PRIVATE_KEY },
      TTL: ttlSeconds,
      contentEncoding: 'aes128gcm',
    },
  )
  // `fetch` counts the body itself. Some of its versions refuse a request that names its length twice.
  const { 'Content-Length': _, ...headers } = all as Record<string, string>
  try {
    const answer = await fetch(endpoint, {
      method: 'POST',
      headers,
      body: body as Buffer<ArrayBuffer>,
      redirect: 'manual',
      signal: AbortSignal.timeout(SEND_WITHIN_MS),
    })
    await answer.body?.cancel()
    return answerOf(answer)
  } catch (error) {
    return { kind: 'failed', words: wordsOf(error), retryAfterMs: 0 }
  }
}

/** `fetch` itself says only that it failed; its cause says why. */
const wordsOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message
}

function answerOf({ ok, status, headers }: Response): PushAnswer {
  if (ok) return { kind: 'sent' }
  if (status === 404 || status === 410) return { kind: 'gone' }
  const words = `the push service answered ${status}`
  if (status === 429 || status >= 500) return { kind: 'failed', words, retryAfterMs: retryAfterMs(headers) }
  return { kind: 'refused', words }
}

/** `Retry-After` in seconds (RFC 9110); 0 when there is none, and for a date, which no push service sends. */
const retryAfterMs = (headers: Headers): number => {
  const seconds = Number(headers.get('retry-after') ?? 0)
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1_000 : 0
}
