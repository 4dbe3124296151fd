/**
 * The events by which an account is closed: identity-svc begins, escrow-svc answers, identity-svc ends it. Their key is the user's id.
 * `closingId` names one attempt: an answer to an earlier attempt changes nothing.
 */
import { CLOSING_OBSTACLES } from '@holdfast/kernel/account'
import { z } from 'zod'
import { define } from './event.js'
import { Timestamp, Uuid } from './fields.js'

/** A user has confirmed with a mailed link that the change of their payout account was theirs. `changeId` names the change. */
export const userConfirmedPayoutAccount = define(
  'identity.user',
  'identity.user.payout_account_confirmed.v1',
  z.object({ userId: Uuid, changeId: Uuid, at: Timestamp }),
)

const Closing = z.object({ userId: Uuid, closingId: Uuid, at: Timestamp })

/** A user closes their account. Their sessions have ended. escrow-svc opens no deal with them from now on, and answers. */
export const userClosing = define('identity.user', 'identity.user.closing.v1', Closing)

/** What escrow-svc answers: nothing stands in the way, and nothing new can, or what does. */
export const accountChecked = define(
  'escrow.account',
  'escrow.account.checked.v1',
  Closing.extend({ obstacles: z.array(z.enum(CLOSING_OBSTACLES)) }),
)

/** The account stays open. Deals can be opened with the user again. */
export const userClosingRefused = define('identity.user', 'identity.user.closing_refused.v1', Closing)

/**
 * The account is closed for ever, and identity-svc has erased the person. Whoever keeps data of users erases what the law does not
 * demand, ends what goes on for them (a subscription, mails, messages to a phone), and shows them as a closed account.
 */
export const userClosed = define('identity.user', 'identity.user.closed.v1', Closing)

const Pictures = z.object({ userId: Uuid, hashes: z.array(z.string().regex(/^[0-9a-f]{64}$/)) })

/** Pictures of a closed account, which no listing has any more that had a deal. dispute-svc answers which of them no evidence has. */
export const picturesDropped = define('listing.listing', 'listing.listing.pictures_dropped.v1', Pictures)
export const picturesChecked = define('dispute.dispute', 'dispute.dispute.pictures_checked.v1', Pictures)
