import { FRESH_SIGN_IN_MINUTES } from '@holdfast/kernel/account'
import { DomainError, invalidFields } from '@holdfast/kernel/errors'
import type { ConfirmationMethod } from '@holdfast/kernel/second-factors'
import type { UserActor } from '@holdfast/service-kit/auth/actor'
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource, type EntityManager } from 'typeorm'
import type { Browser } from '../credentials/browser.js'
import { CredentialsService } from '../credentials/credentials.service.js'
import { refuseChangedPassword } from '../credentials/own-password.js'
import { FactorsService } from '../second-factor/factors.service.js'
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
    private readonly factors: FactorsService,
  ) {}

  /**
   * Checks the password. A user of a sign-in provider may have none. They may leave it out within FRESH_SIGN_IN_MINUTES after they signed
   * in or confirmed in this session who they are. The check takes time, so it runs outside of a dbTx; `refuseOld` then checks inside of the
   * dbTx that the proof still holds.
   *
   * @throws DomainError `VALIDATION_FAILED` naming `currentPassword`; `RATE_LIMITED`; after those minutes `CONFIRMATION_REQUIRED` with the
   * `methods`, or `SIGN_IN_AGAIN` for who has no second factor and so may have nothing to confirm with
   */
  async require({ id, sessionId }: UserActor, password: string | undefined, browser: Browser): Promise<Proof> {
    const user = await this.dataSource.getRepository(User).findOneBy({ id })
    if (!user || user.closingId !== null) throw new DomainError('UNAUTHENTICATED')
    if (password) return this.credentials.require(user, 'currentPassword', { password, browser })
    const [row]: { isFresh: boolean }[] = await this.dataSource.query(OF_PROVIDER, [
      ...[sessionId, id, FRESH_SIGN_IN_MINUTES],
    ])
    if (!row) throw invalidFields({ currentPassword: 'Enter your password' })
    if (row.isFresh) return user
    const factors = await this.factors.methodsOf(id)
    if (factors.length === 0) throw new DomainError('SIGN_IN_AGAIN')
    const methods: ConfirmationMethod[] = ['password', ...factors]
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
