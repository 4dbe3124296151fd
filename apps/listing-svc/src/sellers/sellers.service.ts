import { Injectable } from '@nestjs/common'
import type { EntityManager } from 'typeorm'
import type { Seller } from './seller.js'

const COLUMNS = 'id, first_name, last_name, username, is_verified, rating, profile_image_url, known_at'
const VALUES = '$1, $2, $3, $4, $5, $6, $7, $8'

// A redelivered or replayed event may be older than what is known; the newest word on somebody stays.
const LEARN = `INSERT INTO seller AS known (${COLUMNS}) VALUES (${VALUES})
  ON CONFLICT (id) DO UPDATE SET (first_name, last_name, username, is_verified, rating, profile_image_url, known_at) =
    (excluded.first_name, excluded.last_name, excluded.username, excluded.is_verified, excluded.rating,
     excluded.profile_image_url, excluded.known_at), version = known.version + 1
  WHERE known.known_at <= excluded.known_at`

const MEET = `INSERT INTO seller (${COLUMNS}) VALUES (${VALUES}) ON CONFLICT DO NOTHING`

/** Sellers as others see them: our own copy, so that reading a listing asks nobody else. */
@Injectable()
export class SellersService {
  /**
   * Keeps what an event says of a person, unless something newer is known.
   *
   * @param occurredAt when the event happened
   * @param manager the dbTx of the event
   */
  async learn(user: Seller, occurredAt: string, manager: EntityManager): Promise<void> {
    await manager.query(LEARN, [...fieldsOf(user), occurredAt])
  }
}

/**
 * Makes sure that somebody who sells is known, in case their first event is still on its way. Says nothing new of who
 * is known already: events tell more surely what is newest, so any of them outdoes what is kept here.
 */
export async function meetSeller(manager: EntityManager, user: Seller): Promise<void> {
  await manager.query(MEET, [...fieldsOf(user), '-infinity'])
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
