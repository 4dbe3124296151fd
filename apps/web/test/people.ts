import type { DealParty } from '@holdfast/contracts/transactions'
import type { CurrentUser, PublicUser } from '@holdfast/contracts/users'
import { uuid } from './ids.js'

/** Ben as everyone sees him. */
export const publicBen: PublicUser = {
  id: uuid(1),
  firstName: 'Ben',
  lastName: 'Okafor',
  username: 'ben',
  isVerified: false,
  rating: null,
  profileImageUrl: null,
}

/** Ana as everyone sees her. */
export const ana: PublicUser = {
  id: uuid(2),
  firstName: 'Ana',
  lastName: 'Ruiz',
  username: 'ana',
  isVerified: true,
  rating: 4.85,
  profileImageUrl: null,
}

/** Ben's own account, when he is signed in. */
export const ben: CurrentUser & { readonly sessionId: string } = {
  ...publicBen,
  email: 'ben@example.com',
  emailConfirmed: true,
  phoneNumber: null,
  avatar: null,
  totalTransactions: 0,
  verificationReason: null,
  verificationStatus: 'pending',
  role: 'user',
  plan: 'standard',
  createdAt: '2026-01-01T00:00:00.000Z',
  sessionId: uuid(9001),
}

/** Ana's own account, when she is signed in. */
export const anaSignedIn: typeof ben = { ...ben, ...ana, email: 'ana@example.com', sessionId: uuid(9002) }

/** Ben and Ana as they see each other in a deal that is paid. */
export const benInDeal: DealParty = { ...publicBen, email: ben.email }
export const anaInDeal: DealParty = { ...ana, email: anaSignedIn.email }

/** A mediator, when they are signed in. */
export const mediator: CurrentUser = {
  ...ben,
  id: uuid(3),
  firstName: 'Mia',
  lastName: 'Diaz',
  username: 'mia',
  email: 'mia@example.com',
  role: 'admin',
}
