import type { Invitation } from '@holdfast/contracts/invitations'
import type { PartyUser } from '@holdfast/contracts/users'
import { PublicUser } from '@holdfast/contracts/users'
import { DomainError } from '@holdfast/kernel/errors'
import { hashOfToken } from '@holdfast/service-kit/auth/secret-token'
import { deletionOf, PeriodicCleanup } from '@holdfast/service-kit/database/periodic-cleanup'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { Inject, Injectable } from '@nestjs/common'
import { DataSource, type EntityManager } from 'typeorm'
import type { ListingConfig } from '../config.js'
import { toListing } from '../listings/listing-row.js'
import { ListingsReader } from '../listings/listings.reader.js'
import { ensureSeller } from '../sellers/sellers.service.js'
import { type InvitationState, refuseEnded, refuseOther } from './domain/invitation.js'

const FIND = `
  SELECT i.id, i.listing_id::int AS "listingId", i.message, i.expires_at AS "expiresAt", i.invitee_email AS "inviteeEmail",
    i.accepted_by AS "acceptedBy", i.revoked_at IS NOT NULL AS "isRevoked", i.expires_at <= now() AS "isExpired",
    l.seller_id AS "sellerId", l.status AS "listingStatus"
  FROM invitation_token t JOIN invitation i ON i.id = t.invitation_id JOIN listing l ON l.id = i.listing_id
  WHERE t.token_hash = $1`

interface Row extends InvitationState {
  readonly id: string
  readonly listingId: number
  readonly message: string | null
  readonly expiresAt: Date
}

/** What the holder of an invitation's link does with it. Invitations that nobody accepted are deleted some time after they ended. */
@Injectable()
export class AcceptanceService extends PeriodicCleanup {
  constructor(
    private readonly source: DataSource,
    private readonly listings: ListingsReader,
    @Inject(CONFIG) { INVITATION_KEPT_DAYS }: ListingConfig,
  ) {
    super(source, 'invitations', deletionOf('invitation', 'expires_at', INVITATION_KEPT_DAYS, 'accepted_by IS NULL'))
  }

  /**
   * An invitation, with the listing as its seller sees it: the holder of the link may see it too.
   *
   * @param viewerId the user; null for a visitor
   * @throws DomainError INVITATION_NOT_FOUND, INVITATION_ENDED
   */
  async get(token: string, viewerId: string | null): Promise<Invitation> {
    const { message, expiresAt, inviteeEmail, listingId, sellerId, ...state } = await find(this.source.manager, token)
    refuseEnded({ ...state, inviteeEmail, sellerId }, viewerId)
    const listing = toListing(await this.listings.get(listingId, sellerId))
    return { message, expiresAt: expiresAt.toISOString(), inviteeEmail, listing }
  }

  /**
   * Lets a user see and buy the listing. The same user may accept again; of two users at the same moment, one is refused.
   *
   * @returns the listing's id
   * @throws DomainError INVITATION_NOT_FOUND, and as `refuseOther`
   */
  accept(token: string, user: PartyUser): Promise<number> {
    return this.source.transaction(async dbTx => {
      const found = await find(dbTx, token, 'FOR UPDATE OF i')
      refuseOther(found, user)
      if (found.acceptedBy === null) {
        await ensureSeller(dbTx, PublicUser.parse(user))
        await dbTx.query('UPDATE invitation SET accepted_by = $2, accepted_at = now() WHERE id = $1', [
          found.id,
          user.id,
        ])
      }
      return found.listingId
    })
  }
}

async function find(manager: EntityManager, token: string, lock = ''): Promise<Row> {
  const rows: Row[] = await manager.query(`${FIND} ${lock}`, [hashOfToken(token)])
  if (!rows[0]) throw new DomainError('INVITATION_NOT_FOUND')
  return rows[0]
}
