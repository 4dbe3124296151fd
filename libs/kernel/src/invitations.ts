/** Invitations to private listings (spec sections 2 and 3). */

/** How long an invitation can be accepted, in days. */
export const INVITATION_DAYS = [1, 7, 14, 30] as const
export type InvitationDays = (typeof INVITATION_DAYS)[number]
export const DEFAULT_INVITATION_DAYS: InvitationDays = 7

export const MAX_INVITATION_MESSAGE_LENGTH = 500
/** The most invitations that can be open for one listing. */
export const MAX_OPEN_INVITATIONS = 50

/** `expired` and `revoked` can no longer be accepted; `accepted` was, by one person. */
export const INVITATION_STATUSES = ['open', 'accepted', 'expired', 'revoked'] as const
export type InvitationStatus = (typeof INVITATION_STATUSES)[number]
