import { DomainError } from '@holdfast/kernel/errors'
import { type AttemptLimit, Attempts } from '@holdfast/service-kit/auth/attempts'
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource, type EntityManager } from 'typeorm'
import type { Browser } from '../credentials/browser.js'
import { endPendingChanges } from '../credentials/pending-changes.js'
import { forgetOtherDevices } from '../devices/known-devices.service.js'
import { SessionsService } from '../sessions/sessions.service.js'
import type { User } from '../users/user.entity.js'
import { FactorCodes } from './factor-codes.js'
import type { FactorNotice } from './factor-mail.js'
import { FactorMails } from './factor-mails.js'
import { FactorsService } from './factors.service.js'
import { SignInSteps } from './sign-in-steps.js'

/** Changes of the factors of one user. Each is mailed, and an address that is not confirmed may be another person's. */
export const FACTOR_CHANGES_PER_USER: AttemptLimit = { attempts: 40, seconds: 60 * 60 }

/** A factor was added. */
export interface AddedFactor {
  /** The recovery codes that come with a first factor; null for a further one. */
  readonly recoveryCodes: string[] | null
  /** The token of the session that replaces the present one; null when that one goes on. */
  readonly token: string | null
}

/** What happens around every change of a user's factors. The user's row is locked (`FactorsService.lock`). */
@Injectable()
export class FactorChanges {
  readonly #perUser: Attempts

  constructor(
    @InjectDataSource() dataSource: DataSource,
    private readonly factors: FactorsService,
    private readonly codes: FactorCodes,
    private readonly sessions: SessionsService,
    private readonly steps: SignInSteps,
    private readonly mails: FactorMails,
  ) {
    this.#perUser = new Attempts(dataSource, 'factor-changes', FACTOR_CHANGES_PER_USER)
  }

  /** Counts a change that a user asks for, before its dbTx. @throws DomainError `RATE_LIMITED` */
  async count(userId: string): Promise<void> {
    await this.#perUser.count(userId)
  }

  /**
   * Adds a factor in a dbTx. A first factor comes with recovery codes. With it all sessions end, all other browsers are forgotten, and a
   * change of the e-mail address that waits for its link is cancelled: a thief of the password may have made any of them. This browser
   * gets a new session, which has the second factor.
   *
   * @param write writes the factor's row
   */
  async add(
    dbTx: EntityManager,
    { user, browser, notice }: { user: User; browser: Browser; notice: FactorNotice },
    write: () => Promise<void>,
  ): Promise<AddedFactor> {
    const isFirst = (await this.factors.methodsOf(user.id, dbTx)).length === 0
    await write()
    await this.mails.queue(dbTx, user.id, notice)
    if (!isFirst) return { recoveryCodes: null, token: null }
    await this.sessions.endAll(dbTx, user.id)
    await endPendingChanges(dbTx, user.id)
    await forgetOtherDevices(dbTx, user.id, browser.deviceToken)
    return {
      recoveryCodes: await this.codes.renewRecoveryCodes(dbTx, user.id),
      token: await this.sessions.open(dbTx, user.id, browser, true),
    }
  }

  /**
   * A factor was removed in this dbTx. The recovery codes go with the last one.
   *
   * @throws DomainError `LAST_SECOND_FACTOR` for the last one of an admin where admins need one
   */
  async removed(dbTx: EntityManager, user: User, notice: FactorNotice): Promise<void> {
    await this.mails.queue(dbTx, user.id, notice)
    if ((await this.factors.methodsOf(user.id, dbTx)).length > 0) return
    if (this.factors.isRequiredOf(user)) throw new DomainError('LAST_SECOND_FACTOR')
    await dbTx.query('DELETE FROM recovery_code WHERE user_id = $1', [user.id])
    await dbTx.query('UPDATE sessions SET second_factor_at = NULL WHERE user_id = $1', [user.id])
    await this.steps.endAll(dbTx, user.id)
  }
}
