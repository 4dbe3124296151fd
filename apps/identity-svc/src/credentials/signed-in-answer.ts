import { DomainError } from '@holdfast/kernel/errors'
import type { RequestContext } from '@holdfast/service-kit/http/route'
import { deviceCookie, sessionCookie, signInStepCookie } from '../sessions/session-cookie.js'
import { viewOf } from '../users/user.entity.js'
import type { SecondStep, SignedIn } from './sign-in.service.js'

/**
 * Gives the browser the cookies of its new session, and answers with the user.
 *
 * @throws DomainError `SECOND_FACTOR_REQUIRED` for a user who has to show a second factor first. The browser gets the cookie of that step.
 */
export function answerSignedIn(
  publicUrl: string,
  { reply }: Pick<RequestContext, 'reply'>,
  signedIn: SignedIn | SecondStep,
) {
  if ('stepToken' in signedIn) {
    reply.header('set-cookie', signInStepCookie(publicUrl, signedIn.stepToken))
    throw new DomainError('SECOND_FACTOR_REQUIRED', { methods: signedIn.methods })
  }
  const { user, token, deviceToken } = signedIn
  reply.header('set-cookie', [sessionCookie(publicUrl, token), deviceCookie(publicUrl, deviceToken)])
  return { user: viewOf(user) }
}
