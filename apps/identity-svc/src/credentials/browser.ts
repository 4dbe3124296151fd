import { DEVICE_HEADER, SESSION_HEADER, TOKEN_PATTERN } from '@holdfast/contracts/session-cookie'
import type { RequestContext } from '@holdfast/service-kit/http/route'
import type { Origin } from '../sessions/sessions.service.js'

const HEX_HASH = /^[0-9a-f]{64}$/

/** The browser that signs in or signs up. */
export interface Browser extends Origin {
  /** The token of its device cookie; null when it has none. */
  readonly deviceToken: string | null
}

/** The browser of a request. The gateway passes on its cookies as headers. */
export function browserOf({ clientIp, userAgent, request }: RequestContext): Browser {
  const { [DEVICE_HEADER]: device, [SESSION_HEADER]: session } = request.headers
  return {
    clientIp,
    userAgent,
    deviceToken: typeof device === 'string' && TOKEN_PATTERN.test(device) ? device : null,
    replacedSession: typeof session === 'string' && HEX_HASH.test(session) ? Buffer.from(session, 'hex') : null,
  }
}
