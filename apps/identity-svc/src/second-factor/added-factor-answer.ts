import type { RequestContext } from '@holdfast/service-kit/http/route'
import { sessionCookie } from '../sessions/session-cookie.js'
import type { AddedFactor } from './factor-changes.js'

/** Answers with the recovery codes of a first factor, and sets the cookie of the session that replaces the browser's. */
export function answerAdded(
  publicUrl: string,
  { reply }: Pick<RequestContext, 'reply'>,
  { recoveryCodes, token }: AddedFactor,
) {
  if (token !== null) reply.header('set-cookie', sessionCookie(publicUrl, token))
  return { recoveryCodes }
}
