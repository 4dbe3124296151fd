import { type PayloadOf, picturesChecked, picturesDropped, type userClosed } from '@holdfast/contracts/events'
import { newEvent } from '@holdfast/events/outbox/event'
import { appendToOutbox } from '@holdfast/events/outbox/outbox'
import { databaseTime } from '@holdfast/service-kit/database/database-time'
import { Injectable } from '@nestjs/common'
import type { EntityManager } from 'typeorm'
import { withdrawAll } from './withdraw-all.js'

/** The most pictures of one event. */
const PICTURES_PER_EVENT = 500
const ERASED = 'Erased'

// A request that lists something for the user at this moment shares the row's lock: either this waits for it, or it is refused.
const CLOSE = 'UPDATE seller SET closed_at = coalesce(closed_at, now()) WHERE id = $1'

const NEVER_SOLD = `(l.seller_id = $1 OR l.created_by = $1) AND l.transaction_id IS NULL
  AND NOT EXISTS (SELECT FROM listing_buyer b WHERE b.listing_id = l.id)`

const PICTURES = `SELECT DISTINCT hash FROM (
    SELECT unnest(l.image_hashes) AS hash FROM listing l WHERE ${NEVER_SOLD}
    UNION ALL
    SELECT r.hash FROM removed_picture r JOIN listing l ON l.id = r.listing_id WHERE ${NEVER_SOLD}) dropped`

// The row stays, because others refer to it by its number.
const ERASE = `UPDATE listing l SET title = '${ERASED}', description = '${ERASED}', location = NULL, image_hashes = '{}',
    search_text = '', version = version + 1, updated_at = now()
  WHERE ${NEVER_SOLD}`

const LEAVE_INVITATIONS = 'UPDATE invitation SET invitee_email = NULL WHERE accepted_by = $1'
type Closed = PayloadOf<typeof userClosed>

/** The part of listing-svc in closing an account. Every method runs in the dbTx of its event. */
@Injectable()
export class AccountClosingService {
  /**
   * Withdraws the user's listings and erases those that never had a deal. A listing that had one stays as it was sold. Pictures are
   * removed when dispute-svc has answered that no evidence has them: services may share a storage.
   */
  async close({ userId }: Closed, dbTx: EntityManager): Promise<void> {
    await dbTx.query(CLOSE, [userId])
    const at = await databaseTime(dbTx)
    await withdrawAll(dbTx, userId)
    const pictures: { hash: string }[] = await dbTx.query(PICTURES, [userId])
    await dbTx.query(ERASE, [userId])
    await dbTx.query(LEAVE_INVITATIONS, [userId])
    await dbTx.query('SELECT forget_acceptances($1)', [userId])
    for (let n = 0; n < pictures.length; n += PICTURES_PER_EVENT) {
      const hashes = pictures.slice(n, n + PICTURES_PER_EVENT).map(({ hash }) => hash)
      await appendToOutbox(dbTx, newEvent(picturesDropped, userId, { userId, hashes }, at))
    }
  }

  /** dispute-svc does not have these pictures. The timer removes those that no listing has either. */
  async removePictures({ hashes }: PayloadOf<typeof picturesChecked>, dbTx: EntityManager): Promise<void> {
    await dbTx.query('INSERT INTO picture_to_remove (hash) SELECT unnest($1::text[]) ON CONFLICT DO NOTHING', [hashes])
  }
}
