import { DEVICE_HEADER, SESSION_HEADER, SIGN_IN_STEP_HEADER, TOKEN_PATTERN } from '@holdfast/contracts/session-cookie'
import type { RequestContext } from '@holdfast/service-kit/http/route'
import type { Origin } from '../sessions/sessions.service.js'

const HEX_HASH = /^[0-9a-f]{64}$/

/** The browser that signs in or signs up. */
export interface Browser extends Origin {
  /** The token of its device cookie; null when it has none. */
  readonly deviceToken: string | null
  /** The token of a sign-in that waits for its second step; null when there is none. */
  readonly stepToken: string | null
}

/** The browser of a request. The gateway passes on its cookies as headers. */
export function browserOf({ clientIp, userAgent, request }: RequestContext): Browser {
  const { [DEVICE_HEADER]: device, [SESSION_HEADER]: session, [SIGN_IN_STEP_HEADER]: step } = request.headers
  return {
    clientIp,
    userAgent,
    deviceToken: tokenIn(device),
    stepToken: tokenIn(step),
    replacedSession: typeof session === 'string' && HEX_HASH.test(session) ? Buffer.from(session, 'hex') : null,
  }
}

const tokenIn = (header: string | string[] | undefined): string | null =>
  typeof header === 'string' && TOKEN_PATTERN.test(header) ? header : null
