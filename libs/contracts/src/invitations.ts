/** Invitations to private listings, served by listing-svc. The gateway adds who accepts one. */
import {
  DEFAULT_INVITATION_DAYS,
  INVITATION_DAYS,
  INVITATION_STATUSES,
  MAX_INVITATION_MESSAGE_LENGTH,
} from '@holdfast/kernel/invitations'
import { z } from 'zod'
import { Email, IdParams, IntegerId, IntegerIdText, Timestamp, text, Uuid } from './fields.js'
import { Listing } from './listings.js'
import { route } from './route.js'
import { PartyUser, PublicUser } from './users.js'

/** The secret of an invitation's link. Text of any other form is the token of no invitation. */
const TokenParams = z.object({ token: z.string().max(200) })
const OfListing = z.object({ id: IntegerIdText, invitationId: Uuid })

/** What the holder of an invitation's link sees. */
export const Invitation = z.object({
  message: z.string().nullable(),
  expiresAt: Timestamp,
  /** The address to which it was mailed; null for a link that its maker passes on. */
  inviteeEmail: z.string().nullable(),
  listing: Listing,
})
export type Invitation = z.infer<typeof Invitation>

/** What the owner of a listing sees of an invitation to it. */
export const SentInvitation = Invitation.omit({ listing: true }).extend({
  id: Uuid,
  status: z.enum(INVITATION_STATUSES),
  createdAt: Timestamp,
  /** Who accepted it. Also kept when it was revoked afterwards. */
  acceptedBy: PublicUser.nullable(),
})
export type SentInvitation = z.infer<typeof SentInvitation>

/** The secret link of an invitation. It is in this answer alone: only its hash is stored. */
const InvitationLink = z.object({ id: Uuid, token: z.string(), url: z.url(), expiresAt: Timestamp })
export type InvitationLink = z.infer<typeof InvitationLink>

/** What the owner of a listing enters to invite a person. */
const NewInvitation = z.object({
  inviteeEmail: Email.nullish(),
  message: text(MAX_INVITATION_MESSAGE_LENGTH).nullish(),
  expiresInDays: z
    .union(
      INVITATION_DAYS.map(days => z.literal(days)),
      { error: `One of ${INVITATION_DAYS.join(', ')}` },
    )
    .default(DEFAULT_INVITATION_DAYS),
})
export type NewInvitation = z.infer<typeof NewInvitation>

const onOwn = ['LISTING_NOT_FOUND', 'FORBIDDEN'] as const
const onInviting = [...onOwn, 'CONFLICT', 'EMAIL_NOT_CONFIRMED', 'RATE_LIMITED'] as const
const onAccepting = [
  'INVITATION_NOT_FOUND',
  'INVITATION_ENDED',
  'INVITED_OTHER_ADDRESS',
  'EMAIL_NOT_CONFIRMED',
  'OWN_LISTING',
] as const

export const invitationRoutes = {
  createInvitation: route({
    method: 'POST',
    path: '/api/listings/{id}/invitations',
    access: 'user',
    record: { kind: 'listing', for: ['seller'] },
    handling: 'joined',
    summary: 'Invite one person to a private listing, by a link and, with an address, by mail',
    status: 201,
    params: IdParams,
    body: NewInvitation,
    response: InvitationLink,
    errors: [...onInviting, 'IDEMPOTENCY_KEY_REUSED'],
  }),
  listInvitations: route({
    method: 'GET',
    path: '/api/listings/{id}/invitations',
    access: 'user',
    record: { kind: 'listing', for: ['seller'] },
    summary: 'The invitations to one’s own listing, newest first',
    params: IdParams,
    response: z.array(SentInvitation),
    errors: onOwn,
  }),
  resendInvitation: route({
    method: 'POST',
    path: '/api/listings/{id}/invitations/{invitationId}/resend',
    access: 'user',
    record: { kind: 'invitation', for: ['seller'] },
    handling: 'joined',
    summary: 'Make another link for an invitation that was not accepted; it is mailed again, and its time begins anew',
    status: 201,
    params: OfListing,
    response: InvitationLink,
    errors: [...onInviting, 'INVITATION_NOT_FOUND'],
  }),
  revokeInvitation: route({
    method: 'DELETE',
    path: '/api/listings/{id}/invitations/{invitationId}',
    access: 'user',
    record: { kind: 'invitation', for: ['seller'] },
    summary: 'End an invitation. Whoever accepted it no longer sees the listing; a transaction that they opened stays',
    status: 204,
    params: OfListing,
    errors: [...onOwn, 'INVITATION_NOT_FOUND'],
  }),
  getInvitation: route({
    method: 'GET',
    path: '/api/invitation/{token}',
    access: 'visitor',
    record: { kind: 'invitationLink' },
    summary: 'An invitation by the token of its link, with the listing',
    params: TokenParams,
    response: Invitation,
    errors: ['INVITATION_NOT_FOUND', 'INVITATION_ENDED'],
  }),
  acceptInvitation: route({
    method: 'POST',
    path: '/api/invitation/{token}/accept',
    access: 'user',
    record: { kind: 'invitationLink', for: ['buyer'] },
    handling: 'joined',
    summary: 'Accept an invitation: from then on the user sees the listing and can buy it',
    params: TokenParams,
    response: z.object({ listingId: IntegerId }),
    errors: onAccepting,
  }),
} as const

/** Whether the owner has confirmed their e-mail address at this moment. */
const ownerConfirmed = z.boolean()
/** False when the owner of the address has blocked the user. The invitation is made, no mail is sent, and the answer does not say so. */
const isMailed = z.boolean()

export const invitationInternalRoutes = {
  createInvitationAs: route({
    method: 'POST',
    path: '/internal/listings/{id}/invitations',
    access: { internal: ['gateway'] },
    summary: 'Invite one person on behalf of the listing’s owner',
    status: 201,
    params: IdParams,
    body: z.object({ invitation: NewInvitation, ownerConfirmed, isMailed }),
    response: InvitationLink,
    errors: [...onInviting, 'IDEMPOTENCY_KEY_REUSED', 'UNAUTHENTICATED'],
  }),
  resendInvitationAs: route({
    method: 'POST',
    path: '/internal/listings/{id}/invitations/{invitationId}/resend',
    access: { internal: ['gateway'] },
    summary: 'Make another link on behalf of the listing’s owner',
    status: 201,
    params: OfListing,
    body: z.object({ ownerConfirmed, isMailed }),
    response: InvitationLink,
    errors: [...onInviting, 'INVITATION_NOT_FOUND', 'UNAUTHENTICATED'],
  }),
  acceptInvitationAs: route({
    method: 'POST',
    path: '/internal/invitations/accept',
    access: { internal: ['gateway'] },
    summary: 'Accept an invitation on behalf of a user',
    body: z.object({ token: z.string(), user: PartyUser }),
    response: z.object({ listingId: IntegerId }),
    errors: [...onAccepting, 'UNAUTHENTICATED'],
  }),
} as const
