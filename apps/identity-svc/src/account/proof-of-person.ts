import { FRESH_SIGN_IN_MINUTES } from '@holdfast/kernel/account'
import { DomainError, invalidFields } from '@holdfast/kernel/errors'
import type { UserActor } from '@holdfast/service-kit/auth/actor'
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource, type EntityManager } from 'typeorm'
import type { Browser } from '../credentials/browser.js'
import { CredentialsService } from '../credentials/credentials.service.js'
import { refuseChangedPassword } from '../credentials/own-password.js'
import { Confirmations } from '../second-factor/confirmations.js'
import { User } from '../users/user.entity.js'

/** Sessions of earlier releases do not know when their user has last confirmed who they are. */
const OF_PROVIDER = `
  SELECT coalesce(s.confirmed_at, s.created_at) > clock_timestamp() - $3 * interval '1 minute' AS "isFresh" FROM sessions s
  WHERE s.id = $1 AND s.user_id = $2 AND EXISTS (SELECT FROM provider_account p WHERE p.user_id = s.user_id)`
const IS_LIVE = 'SELECT FROM sessions WHERE id = $1 AND user_id = $2 AND revoked_at IS NULL'

/** That the person is the user. It holds while the password has this version. */
export interface Proof {
  readonly passwordVersion: number
}

/** Makes sure, before something that cannot be taken back, that the person at the browser is the user. */
@Injectable()
export class ProofOfPerson {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly credentials: CredentialsService,
    private readonly confirmations: Confirmations,
  ) {}

  /**
   * Checks the password, and that whoever has a second factor has shown it in this session a short time ago. A user of a sign-in provider may
   * have no password. They may leave it out within FRESH_SIGN_IN_MINUTES after they signed in or confirmed in this session who they are. The
   * check takes time, so it runs outside of a dbTx; `refuseOld` then checks inside of the dbTx that the proof still holds.
   *
   * @throws DomainError `VALIDATION_FAILED` naming `currentPassword`; `RATE_LIMITED`; `CONFIRMATION_REQUIRED` with the `methods`; after those
   * minutes `SIGN_IN_AGAIN` for who has no second factor and so may have nothing to confirm with
   */
  async require(actor: UserActor, password: string | undefined, browser: Browser): Promise<Proof> {
    const { manager } = this.dataSource
    const user = await manager.findOneBy(User, { id: actor.id })
    if (!user || user.closingId !== null) throw new DomainError('UNAUTHENTICATED')
    const proof = password
      ? await this.credentials.require(user, 'currentPassword', { password, browser })
      : await this.#withoutPassword(user, actor)
    await this.confirmations.requireFactor(manager, actor)
    return proof
  }

  /**
   * Requires a sign-in or a confirmation in this session a short time ago. The gateway asks this before a request of any service whose route
   * `needsProof`.
   *
   * @throws DomainError `CONFIRMATION_REQUIRED` with the `methods`
   */
  requireRecent(actor: UserActor): Promise<void> {
    return this.confirmations.require(this.dataSource.manager, actor)
  }

  async #withoutPassword(user: User, { sessionId, id }: UserActor): Promise<Proof> {
    const { manager } = this.dataSource
    const [row]: { isFresh: boolean }[] = await manager.query(OF_PROVIDER, [sessionId, id, FRESH_SIGN_IN_MINUTES])
    if (!row) throw invalidFields({ currentPassword: 'Enter your password' })
    if (row.isFresh) return user
    const methods = await this.confirmations.methodsOf(id, manager)
    if (methods.includes('password')) throw new DomainError('SIGN_IN_AGAIN')
    throw new DomainError('CONFIRMATION_REQUIRED', { methods })
  }
}

/**
 * Refuses a proof, in the dbTx of the step that needs it, when the password was changed or the session has ended meanwhile.
 *
 * @param user locked
 * @throws DomainError `VALIDATION_FAILED` naming `currentPassword`; `UNAUTHENTICATED`
 */
export async function refuseOld(
  dbTx: EntityManager,
  user: User,
  { sessionId }: UserActor,
  proof: Proof,
): Promise<void> {
  refuseChangedPassword(user, proof)
  const live: object[] = await dbTx.query(IS_LIVE, [sessionId, user.id])
  if (live.length === 0) throw new DomainError('UNAUTHENTICATED')
}
