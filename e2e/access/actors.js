import { findMediator } from '../support/demo.js'
import { PASSWORD, Person } from '../support/person.js'

/** Those whom no session names. */
export const SIGNED_OUT = ['visitor', 'signedOut', 'suspended']
export const ADMINS = ['admin', 'otherAdmin']

/**
 * One of each: a visitor; a user whose session has ended; one who is suspended; a stranger with a listing of their own; the buyer and the
 * seller of the records; two admins without a part in them.
 */
export async function meetActors() {
  const [admin, otherAdmin] = await Promise.all([findMediator('ines'), findMediator('noor')])
  const [buyer, seller, stranger, signedOut, suspended] = await Promise.all(
    ['Bea', 'Sam', 'Eve', 'Olga', 'Susan'].map(name => Person.signUp(name)),
  )
  const { cookie } = signedOut
  await signedOut.expect(204, 'POST', '/api/auth/logout')
  // A thief may have kept the cookie.
  signedOut.cookie = cookie
  const body = { isSuspended: true, reason: 'To see that nothing is left to them.' }
  await admin.expect(200, 'POST', `/api/admin/users/${suspended.id}/suspension`, { body })
  const signIn = password =>
    new Person().call('POST', '/api/auth/signin', { body: { email: suspended.email, password } })
  const [right, wrong] = [await signIn(PASSWORD), await signIn('not the password')]
  return {
    visitor: new Person(),
    signedOut,
    suspended,
    stranger,
    buyer,
    seller,
    admin,
    otherAdmin,
    /** How the suspended user is answered who signs in with the right password, and with a wrong one. */
    signInsOfSuspended: [right.body.code, wrong.body.code],
  }
}
