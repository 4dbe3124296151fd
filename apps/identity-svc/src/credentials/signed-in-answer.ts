import type { RequestContext } from '@holdfast/service-kit/http/route'
import { deviceCookie, sessionCookie } from '../sessions/session-cookie.js'
import { viewOf } from '../users/user.entity.js'
import type { SignedIn } from './sign-in.service.js'

/** Gives the browser the cookies of its new session, and answers with the user. */
export function answerSignedIn(
  publicUrl: string,
  { reply }: Pick<RequestContext, 'reply'>,
  { user, token, deviceToken }: SignedIn,
) {
  reply.header('set-cookie', [sessionCookie(publicUrl, token), deviceCookie(publicUrl, deviceToken)])
  return { user: viewOf(user) }
}
