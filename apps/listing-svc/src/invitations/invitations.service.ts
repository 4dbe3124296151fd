import type { InvitationLink, NewInvitation, SentInvitation } from '@holdfast/contracts/invitations'
import type { PublicUser } from '@holdfast/contracts/users'
import { DomainError } from '@holdfast/kernel/errors'
import { newId } from '@holdfast/kernel/ids'
import { type InvitationStatus, MAX_OPEN_INVITATIONS } from '@holdfast/kernel/invitations'
import { queueMail } from '@holdfast/mail/queue-mail'
import { recipientKey } from '@holdfast/mail/recipient-key'
import { type AttemptLimit, Attempts } from '@holdfast/service-kit/auth/attempts'
import type { Queryable } from '@holdfast/service-kit/database/queryable'
import { answerOnce, findAnswer, hashInput, type IdempotencyKey } from '@holdfast/service-kit/idempotency/idempotency'
import { Clock } from '@holdfast/service-kit/lifecycle/clock'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { Inject, Injectable } from '@nestjs/common'
import { DataSource, type EntityManager } from 'typeorm'
import type { ListingConfig } from '../config.js'
import { CreationLimits } from '../listings/creation-limits.js'
import { owned } from '../listings/domain/access.js'
import { ListingsRepository } from '../listings/listings.repository.js'
import { INVITED, linkOf } from './invitation-mails.js'
import { makeToken } from './invitation-tokens.js'

/** Links that a person may make, and mails to one address: anybody can type the address of another person. */
const LINKS_PER_USER: AttemptLimit = {
  attempts: 60,
  seconds: 60 * 60,
  refusal: 'You have made many invitations within an hour. Please wait before you make more.',
}
export const MAILS_PER_INVITEE: AttemptLimit = {
  attempts: 5,
  seconds: 24 * 60 * 60,
  refusal: 'This person was invited several times today. Please send them the link yourself.',
}

/** The most invitations to one listing that are shown. Most of so many have ended: few can be open. */
export const MAX_LISTED = 500

const LIST = `
  SELECT i.id, i.invitee_email AS "inviteeEmail", i.message, i.created_at AS "createdAt", i.expires_at AS "expiresAt",
    CASE WHEN i.revoked_at IS NOT NULL THEN 'revoked' WHEN i.accepted_by IS NOT NULL THEN 'accepted'
      WHEN i.expires_at <= now() THEN 'expired' ELSE 'open' END AS status,
    CASE WHEN s.id IS NOT NULL THEN json_build_object('id', s.id, 'firstName', s.first_name, 'lastName', s.last_name,
      'username', s.username, 'isVerified', s.is_verified, 'rating', s.rating, 'profileImageUrl', s.profile_image_url)
    END AS "acceptedBy"
  FROM invitation i LEFT JOIN seller s ON s.id = i.accepted_by
  WHERE i.listing_id = $1 ORDER BY i.id DESC LIMIT ${MAX_LISTED}`

/** How many invitations to a listing can be accepted now. */
const openOf = (listingId: string) => `(SELECT count(*) FROM invitation o
  WHERE o.listing_id = ${listingId} AND o.accepted_by IS NULL AND o.revoked_at IS NULL AND o.expires_at > now())`

const tooManyOpen = () =>
  new DomainError('CONFLICT', undefined, `At most ${MAX_OPEN_INVITATIONS} invitations can be open. Revoke one.`)

/** The user who invites. */
export interface Owner {
  readonly id: string
  /** Whether they have confirmed their e-mail address. */
  readonly isConfirmed: boolean
  /** False when the owner of the address has blocked them: then nothing is mailed. */
  readonly isMailed: boolean
}

interface Row extends Pick<SentInvitation, 'id' | 'inviteeEmail' | 'message'> {
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly status: InvitationStatus
  readonly acceptedBy: PublicUser | null
}

/** An invitation that was made. Its links are not stored. */
type Made = Pick<InvitationLink, 'id' | 'expiresAt'>

/** What the owner of a private listing does with the invitations to it. */
@Injectable()
export class InvitationsService {
  readonly #perUser: Attempts
  readonly #perInvitee: Attempts

  constructor(
    private readonly dataSource: DataSource,
    private readonly listings: ListingsRepository,
    private readonly limits: CreationLimits,
    @Inject(CONFIG) private readonly config: ListingConfig,
    private readonly clock: Clock,
  ) {
    this.#perUser = new Attempts(dataSource, 'invitation-links', LINKS_PER_USER)
    this.#perInvitee = new Attempts(dataSource, 'invitation-mails', MAILS_PER_INVITEE)
  }

  /**
   * Invites one person, and mails the link when there is an address. A repetition with the same key gets another link to the same
   * invitation, because no link is stored.
   *
   * @throws DomainError LISTING_NOT_FOUND, FORBIDDEN; CONFLICT for a listing that needs no invitations or has too many open ones;
   * RATE_LIMITED; EMAIL_NOT_CONFIRMED for a mail; IDEMPOTENCY_KEY_REUSED
   */
  async create(
    listingId: number,
    invitation: NewInvitation,
    owner: Owner,
    key: string | null,
  ): Promise<InvitationLink> {
    const once = key === null ? null : keyOf(owner.id, key, [listingId, invitation])
    const known = once && (await findAnswer<Made>(this.dataSource, once))
    if (known) {
      await this.#perUser.count(owner.id)
      return this.#link(this.dataSource, known)
    }
    await this.#mustNeedInvitations(listingId, owner.id)
    await this.#count(owner, invitation.inviteeEmail ?? null)
    const insert = (dbTx: EntityManager) => this.#insert(dbTx, listingId, invitation, owner)
    const made = await (once
      ? answerOnce(this.dataSource, once, this.clock.now(), insert)
      : this.dataSource.transaction(insert))
    return this.#link(this.dataSource, made)
  }

  /**
   * Makes another link for an invitation, and mails it when there is an address. Links that were made before stay valid.
   *
   * @throws DomainError as `create`; INVITATION_NOT_FOUND; CONFLICT when it was accepted or revoked, or has ended while too
   * many others are open
   */
  async resend(listingId: number, invitationId: string, owner: Owner): Promise<InvitationLink> {
    await this.#mustNeedInvitations(listingId, owner.id)
    const [found]: { inviteeEmail: string | null }[] = await this.dataSource.query(
      'SELECT invitee_email AS "inviteeEmail" FROM invitation WHERE id = $1 AND listing_id = $2',
      [invitationId, listingId],
    )
    if (!found) throw new DomainError('INVITATION_NOT_FOUND')
    await this.#count(owner, found.inviteeEmail)
    return this.dataSource.transaction(async dbTx => {
      const [rows]: [{ expiresAt: Date }[], number] = await dbTx.query(
        `UPDATE invitation SET expires_at = now() + valid_days * $2::int * interval '1 second'
         WHERE id = $3 AND accepted_by IS NULL AND revoked_at IS NULL AND (expires_at > now() OR ${openOf('$1')} < $4::int)
         RETURNING expires_at AS "expiresAt"`,
        [listingId, this.config.DAY_SECONDS, invitationId, MAX_OPEN_INVITATIONS],
      )
      if (!rows[0]) throw await this.#whyNotAgain(dbTx, invitationId)
      if (owner.isMailed) await this.#mail(dbTx, invitationId, found.inviteeEmail)
      return this.#link(dbTx, { id: invitationId, expiresAt: rows[0].expiresAt.toISOString() })
    })
  }

  /**
   * The newest invitations to a listing, newest first.
   *
   * @throws DomainError LISTING_NOT_FOUND, FORBIDDEN
   */
  async list(listingId: number, ownerId: string): Promise<SentInvitation[]> {
    owned(await this.listings.find(listingId), ownerId)
    const rows: Row[] = await this.dataSource.query(LIST, [listingId])
    return rows.map(row => ({
      ...row,
      createdAt: row.createdAt.toISOString(),
      expiresAt: row.expiresAt.toISOString(),
    }))
  }

  /**
   * Ends an invitation; does nothing when it was revoked before.
   *
   * @throws DomainError LISTING_NOT_FOUND, FORBIDDEN, INVITATION_NOT_FOUND
   */
  async revoke(listingId: number, invitationId: string, ownerId: string): Promise<void> {
    owned(await this.listings.find(listingId), ownerId)
    const [, changed]: [unknown, number] = await this.dataSource.query(
      'UPDATE invitation SET revoked_at = coalesce(revoked_at, now()) WHERE id = $1 AND listing_id = $2',
      [invitationId, listingId],
    )
    if (changed === 0) throw new DomainError('INVITATION_NOT_FOUND')
  }

  async #mustNeedInvitations(listingId: number, ownerId: string): Promise<void> {
    const listing = owned(await this.listings.find(listingId), ownerId)
    if (!listing.isPrivate || listing.counterpartyId !== null || listing.status !== 'active') {
      throw new DomainError('CONFLICT', undefined, 'Only a private listing that is on sale needs invitations.')
    }
  }

  async #count({ id, isConfirmed }: Owner, inviteeEmail: string | null): Promise<void> {
    await this.#perUser.count(id)
    if (inviteeEmail === null) return
    await this.limits.countMailed(id, isConfirmed)
    await this.#perInvitee.count(recipientKey(inviteeEmail))
  }

  async #whyNotAgain(dbTx: Queryable, id: string): Promise<DomainError> {
    const ended = await dbTx.query(
      'SELECT FROM invitation WHERE id = $1 AND (accepted_by IS NOT NULL OR revoked_at IS NOT NULL)',
      [id],
    )
    const isEnded = (ended as unknown[]).length > 0
    return isEnded ? new DomainError('CONFLICT', undefined, 'It was accepted or revoked already.') : tooManyOpen()
  }

  async #insert(dbTx: EntityManager, listingId: number, invitation: NewInvitation, owner: Owner): Promise<Made> {
    const id = newId()
    const { inviteeEmail, message, expiresInDays } = invitation
    const rows: { expiresAt: Date }[] = await dbTx.query(
      `INSERT INTO invitation (id, listing_id, invitee_email, message, valid_days, expires_at)
       SELECT $1::uuid, $2::bigint, $3::text, $4::text, $5::int, now() + $5::int * $6::int * interval '1 second'
       WHERE ${openOf('$2')} < $7::int
       RETURNING expires_at AS "expiresAt"`,
      [id, listingId, inviteeEmail, message, expiresInDays, this.config.DAY_SECONDS, MAX_OPEN_INVITATIONS],
    )
    if (!rows[0]) throw tooManyOpen()
    if (owner.isMailed) await this.#mail(dbTx, id, inviteeEmail ?? null)
    return { id, expiresAt: rows[0].expiresAt.toISOString() }
  }

  /** The mail gets a token of its own when it is sent, because no token rests in the table of mails. */
  async #mail(dbTx: EntityManager, id: string, inviteeEmail: string | null): Promise<void> {
    if (inviteeEmail !== null)
      await queueMail(dbTx, { kind: INVITED, recipient: inviteeEmail, data: { invitationId: id } })
  }

  async #link(database: Queryable, { id, expiresAt }: Made): Promise<InvitationLink> {
    const token = await makeToken(database, id)
    return { id, token, url: linkOf(this.config, token), expiresAt }
  }
}

const keyOf = (userId: string, key: string, input: unknown): IdempotencyKey => ({
  userId,
  route: 'POST /api/listings/{id}/invitations',
  key,
  inputHash: hashInput(input),
})
