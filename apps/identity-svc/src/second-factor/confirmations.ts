import { DomainError } from '@holdfast/kernel/errors'
import { CONFIRMED_MINUTES, type ConfirmationMethod } from '@holdfast/kernel/second-factors'
import type { UserActor } from '@holdfast/service-kit/auth/actor'
import { Injectable } from '@nestjs/common'
import type { EntityManager } from 'typeorm'
import { FactorsService } from './factors.service.js'

const CONFIRMED = `SELECT FROM sessions WHERE id = $1 AND user_id = $2 AND revoked_at IS NULL
  AND confirmed_at > clock_timestamp() - $3 * interval '1 minute'`
const CONFIRM =
  'UPDATE sessions SET confirmed_at = clock_timestamp() WHERE id = $1 AND user_id = $2 AND revoked_at IS NULL'

/** Knows in which sessions the user has confirmed a short time ago who they are. A change of how they sign in needs that. */
@Injectable()
export class Confirmations {
  constructor(private readonly factors: FactorsService) {}

  /** Records that the user of this session has just confirmed who they are. */
  async keep(dbTx: EntityManager, { id, sessionId }: UserActor): Promise<void> {
    await dbTx.query(CONFIRM, [sessionId, id])
  }

  /** @throws DomainError `CONFIRMATION_REQUIRED`, with the `methods` by which the user can confirm */
  async require(dbTx: EntityManager, { id, sessionId }: UserActor): Promise<void> {
    const found: object[] = await dbTx.query(CONFIRMED, [sessionId, id, CONFIRMED_MINUTES])
    if (found.length > 0) return
    const methods: ConfirmationMethod[] = ['password', ...(await this.factors.methodsOf(id, dbTx))]
    throw new DomainError('CONFIRMATION_REQUIRED', { methods })
  }
}
