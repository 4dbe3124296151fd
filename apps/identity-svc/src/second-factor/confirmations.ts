import { DomainError } from '@holdfast/kernel/errors'
import { CONFIRMED_MINUTES, type ConfirmationMethod } from '@holdfast/kernel/second-factors'
import type { UserActor } from '@holdfast/service-kit/auth/actor'
import { Injectable } from '@nestjs/common'
import type { EntityManager } from 'typeorm'
import { FactorsService } from './factors.service.js'

// A factor that was shown is one that the user still has: the first factor begins a new session, and removing the last one clears the column
// (`factor-changes.ts`).
const CONFIRMED = `SELECT coalesce(confirmed_at > recent.since, false) AS "isConfirmed",
    coalesce(second_factor_at > recent.since, false) AS "hasShownFactor"
  FROM sessions, (SELECT clock_timestamp() - $3 * interval '1 minute' AS since) recent
  WHERE id = $1 AND user_id = $2 AND revoked_at IS NULL`
const CONFIRM = `UPDATE sessions SET confirmed_at = clock_timestamp(),
    second_factor_at = CASE WHEN $3 THEN clock_timestamp() ELSE second_factor_at END
  WHERE id = $1 AND user_id = $2 AND revoked_at IS NULL`

/**
 * Knows in which sessions the user has confirmed a short time ago who they are. Acts that change where money goes, or whom others trust, need
 * that. Whoever has a second factor confirms with it, or with a passkey: a thief of the session may know the password, too (ADR 139).
 */
@Injectable()
export class Confirmations {
  constructor(private readonly factors: FactorsService) {}

  /** Records that the user of this session has just confirmed who they are. */
  async keep(dbTx: EntityManager, { id, sessionId }: UserActor, by: 'password' | 'second_factor'): Promise<void> {
    await dbTx.query(CONFIRM, [sessionId, id, by === 'second_factor'])
  }

  /** @throws DomainError `CONFIRMATION_REQUIRED`, with the `methods` by which the user can confirm */
  async require(dbTx: EntityManager, actor: UserActor): Promise<void> {
    const { isConfirmed, hasShownFactor } = await this.#stateOf(dbTx, actor)
    const methods = await this.methodsOf(actor.id, dbTx)
    if (isConfirmed && (hasShownFactor || methods.includes('password'))) return
    throw new DomainError('CONFIRMATION_REQUIRED', { methods })
  }

  /**
   * The same for a user who has just shown the password, so that at most the second factor is missing.
   *
   * @throws DomainError `CONFIRMATION_REQUIRED`
   */
  async requireFactor(dbTx: EntityManager, actor: UserActor): Promise<void> {
    const methods = await this.methodsOf(actor.id, dbTx)
    if (methods.includes('password') || (await this.#stateOf(dbTx, actor)).hasShownFactor) return
    throw new DomainError('CONFIRMATION_REQUIRED', { methods })
  }

  /** How a user can confirm: by the second factor when there is one, otherwise by the password. */
  async methodsOf(userId: string, dbTx: EntityManager): Promise<ConfirmationMethod[]> {
    const factors = await this.factors.methodsOf(userId, dbTx)
    return factors.length > 0 ? factors : ['password']
  }

  async #stateOf(dbTx: EntityManager, { id, sessionId }: UserActor) {
    const [session]: { isConfirmed: boolean; hasShownFactor: boolean }[] = await dbTx.query(CONFIRMED, [
      ...[sessionId, id, CONFIRMED_MINUTES],
    ])
    return session ?? { isConfirmed: false, hasShownFactor: false }
  }
}
