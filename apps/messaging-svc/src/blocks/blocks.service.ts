import type { PayloadOf, userBlocksChanged } from '@holdfast/contracts/events'
import type { Queryable } from '@holdfast/service-kit/database/queryable'
import { Injectable } from '@nestjs/common'

// An event that is replayed can be older than what is kept, and can come after an account is closed.
const KEEP = `INSERT INTO block (blocker_id, blocked_id, is_blocked, at)
  SELECT $1, blocked_id, $3, $4 FROM unnest($2::uuid[]) AS blocked_id
  WHERE NOT EXISTS (SELECT FROM closed_user WHERE user_id IN ($1, blocked_id))
  ON CONFLICT (blocker_id, blocked_id) DO UPDATE SET is_blocked = excluded.is_blocked, at = excluded.at WHERE block.at <= excluded.at`
const IS_BLOCKED = 'SELECT FROM block WHERE blocker_id = $1 AND blocked_id = $2 AND is_blocked'

/** Who has blocked whom, as the events of identity-svc say. */
@Injectable()
export class BlocksService {
  /** Keeps a change of a user's blocks, unless a later one is kept. */
  async keep({ userId, blockedIds, isBlocked, at }: PayloadOf<typeof userBlocksChanged>, dbTx: Queryable) {
    await dbTx.query(KEEP, [userId, blockedIds, isBlocked, at])
  }

  /** Whether the blocker has blocked the user. */
  async isBlocked(database: Queryable, blockerId: string, userId: string): Promise<boolean> {
    const found = (await database.query(IS_BLOCKED, [blockerId, userId])) as unknown[]
    return found.length > 0
  }
}
