import type { PartyUser } from '@holdfast/contracts/users'
import { newId } from '@holdfast/kernel/ids'
import { type InvitationState, refuseEnded, refuseOther } from './invitation.js'

const ben: PartyUser = {
  id: newId(),
  firstName: 'Ben',
  lastName: 'Test',
  username: 'ben',
  isVerified: false,
  rating: null,
  profileImageUrl: null,
  email: 'Ben@example.com',
  emailConfirmed: true,
}
const open: InvitationState = {
  sellerId: newId(),
  listingStatus: 'active',
  inviteeEmail: null,
  acceptedBy: null,
  isRevoked: false,
  isExpired: false,
}
const codeOf = (act: () => void) => {
  try {
    act()
    return null
  } catch (error) {
    return (error as { code: string }).code
  }
}

describe('an invitation', () => {
  it.each<[string, Partial<InvitationState>, readonly [visitor: boolean, ben: boolean]]>([
    ['is seen by whoever has its link', {}, [true, true]],
    ['is ended when it expired', { isExpired: true }, [false, false]],
    ['is ended when it was revoked, also for who accepted it', { isRevoked: true, acceptedBy: ben.id }, [false, false]],
    ['is ended for others when one has accepted it', { acceptedBy: ben.id }, [false, true]],
    ['is there for who accepted it after its time', { acceptedBy: ben.id, isExpired: true }, [false, true]],
    ['is ended for others when the item is in a transaction', { listingStatus: 'reserved' }, [false, false]],
    ['is there for who accepted it and bought the item', { listingStatus: 'sold', acceptedBy: ben.id }, [false, true]],
  ])('%s', (_, change, [visitor, user]) => {
    const seen = (viewer: string | null) => codeOf(() => refuseEnded({ ...open, ...change }, viewer)) === null
    expect([seen(null), seen(ben.id)]).toEqual([visitor, user])
  })

  it.each<[string, Partial<InvitationState>, Partial<PartyUser>, string | null]>([
    ['by a link: anybody', {}, { emailConfirmed: false }, null],
    ['not its maker', { sellerId: ben.id }, {}, 'OWN_LISTING'],
    ['mailed: the account with this address, in any case of letters', { inviteeEmail: 'bEN@example.com' }, {}, null],
    ['mailed: not another account', { inviteeEmail: 'ana@example.com' }, {}, 'INVITED_OTHER_ADDRESS'],
    [
      'mailed: not an account that has not confirmed the address',
      { inviteeEmail: 'ben@example.com' },
      { emailConfirmed: false },
      'EMAIL_NOT_CONFIRMED',
    ],
    ['nobody when it has ended', { isExpired: true }, {}, 'INVITATION_ENDED'],
  ])('is accepted %s', (_, change, person, code) => {
    expect(codeOf(() => refuseOther({ ...open, ...change }, { ...ben, ...person }))).toBe(code)
  })
})
