import type { PayloadOf, userUpdated } from '@holdfast/contracts/events'
import { Injectable } from '@nestjs/common'
import type { EntityManager } from 'typeorm'
import { withdrawAll } from '../accounts/withdraw-all.js'
import type { Seller } from './seller.js'

const COLUMNS = 'id, first_name, last_name, username, is_verified, rating, profile_image_url, known_at'
const VALUES = '$1, $2, $3, $4, $5, $6, $7, $8'

// A redelivered or replayed event can be older than the row. Then the row is not changed.
const UPSERT_NEWER = `INSERT INTO seller AS known (${COLUMNS}) VALUES (${VALUES})
  ON CONFLICT (id) DO UPDATE SET (first_name, last_name, username, is_verified, rating, profile_image_url, known_at) =
    (excluded.first_name, excluded.last_name, excluded.username, excluded.is_verified, excluded.rating,
     excluded.profile_image_url, excluded.known_at), version = known.version + 1
  WHERE known.known_at <= excluded.known_at`

// Every later event of the user repeats the time of the takeover. Only the first one that arrives has an effect.
const TAKE_OVER = `UPDATE seller SET taken_over_at = $2 WHERE id = $1 AND (taken_over_at IS NULL OR taken_over_at < $2) RETURNING 1`

const INSERT_UNKNOWN = `INSERT INTO seller (${COLUMNS}) VALUES (${VALUES}) ON CONFLICT DO NOTHING`

/** A copy of each user's public fields, so that reading a listing needs no call to identity-svc. */
@Injectable()
export class SellersService {
  /**
   * Stores a user's fields from an event, unless newer ones are stored. When the owner of the address has taken the account over, what it had
   * on sale is withdrawn: somebody else may have listed it.
   *
   * @param occurredAt when the event happened
   * @param manager the dbTx of the event
   */
  async keep(user: PayloadOf<typeof userUpdated>['user'], occurredAt: string, manager: EntityManager): Promise<void> {
    await manager.query(UPSERT_NEWER, [...fieldsOf(user), occurredAt])
    if (!user.takenOverAt) return
    const [, takenOver]: [unknown, number] = await manager.query(TAKE_OVER, [user.id, user.takenOverAt])
    if (takenOver > 0) await withdrawAll(manager, user.id)
  }
}

/**
 * Inserts a seller whose event has not arrived yet; does nothing for a known seller. The row counts as older than any event,
 * so that the first event replaces it.
 */
export async function ensureSeller(manager: EntityManager, user: Seller): Promise<void> {
  await manager.query(INSERT_UNKNOWN, [...fieldsOf(user), '-infinity'])
}

const fieldsOf = (user: Seller): unknown[] => [
  user.id,
  user.firstName,
  user.lastName,
  user.username,
  user.isVerified,
  user.rating,
  user.profileImageUrl,
]
