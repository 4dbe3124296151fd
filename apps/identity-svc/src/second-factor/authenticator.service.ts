import { DomainError, invalidFields } from '@holdfast/kernel/errors'
import { AUTHENTICATOR_SETUP_MINUTES, isAppCode } from '@holdfast/kernel/second-factors'
import type { UserActor } from '@holdfast/service-kit/auth/actor'
import { databaseTime } from '@holdfast/service-kit/database/database-time'
import { deletionOf, PeriodicCleanup } from '@holdfast/service-kit/database/periodic-cleanup'
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource, type EntityManager } from 'typeorm'
import type { Browser } from '../credentials/browser.js'
import { forApp, stepOf } from './app-codes.js'
import { AuthenticatorSecrets, type SealedSecret } from './authenticator-secrets.js'
import { CodeLimits } from './code-limits.js'
import { Confirmations } from './confirmations.js'
import { type AddedFactor, FactorChanges } from './factor-changes.js'
import { FactorsService } from './factors.service.js'

const WRONG =
  'This code is not right. Enter the newest code of the app. If it goes on, set the time of your phone automatically.'
const BEGIN = `INSERT INTO authenticator_setup (user_id, sealed, key_id, wrapped_key, expires_at)
  VALUES ($1, $2, $3, $4, clock_timestamp() + $5 * interval '1 minute')
  ON CONFLICT (user_id) DO UPDATE SET (sealed, key_id, wrapped_key, expires_at)
    = (excluded.sealed, excluded.key_id, excluded.wrapped_key, excluded.expires_at)`
const BEGUN = `SELECT sealed, key_id AS "keyId", wrapped_key AS "wrappedKey" FROM authenticator_setup
  WHERE user_id = $1 AND expires_at > clock_timestamp()`
// The first code is used, too: it cannot be used again to sign in.
const ADD = `INSERT INTO authenticator (user_id, sealed, key_id, wrapped_key, last_step) VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (user_id) DO UPDATE SET (sealed, key_id, wrapped_key, last_step, added_at)
    = (excluded.sealed, excluded.key_id, excluded.wrapped_key, excluded.last_step, excluded.added_at)`

/** Adds, replaces and removes a user's authenticator app. */
@Injectable()
export class AuthenticatorService extends PeriodicCleanup {
  constructor(
    @InjectDataSource() private readonly source: DataSource,
    private readonly secrets: AuthenticatorSecrets,
    private readonly confirmations: Confirmations,
    private readonly limits: CodeLimits,
    private readonly factors: FactorsService,
    private readonly changes: FactorChanges,
  ) {
    super(source, 'authenticator apps that were not confirmed', deletionOf('authenticator_setup', 'expires_at'))
  }

  /** Makes a secret, which waits for its first code. It replaces an earlier one that waits. @throws DomainError `CONFIRMATION_REQUIRED` */
  async start(actor: UserActor): Promise<{ secret: string; uri: string }> {
    return this.source.transaction(async dbTx => {
      const user = await this.factors.lock(dbTx, actor.id)
      await this.confirmations.require(dbTx, actor)
      const { secret, stored } = this.secrets.make(user.id)
      await dbTx.query(BEGIN, [user.id, ...columnsOf(stored), AUTHENTICATOR_SETUP_MINUTES])
      return forApp(secret, user.email)
    })
  }

  /**
   * Adds the app that has made this first code. It replaces an earlier app.
   *
   * @throws DomainError `VALIDATION_FAILED` for a wrong code; `GONE` when no secret waits; `CONFIRMATION_REQUIRED`, `RATE_LIMITED`
   */
  async confirm(actor: UserActor, code: string, browser: Browser): Promise<AddedFactor> {
    if (!isAppCode(code)) throw invalidFields({ code: 'Enter the six digits that the app shows' })
    await this.changes.count(actor.id)
    return this.limits.run({ userId: actor.id, code, browser }, () =>
      this.source.transaction(async dbTx => {
        const user = await this.factors.lock(dbTx, actor.id)
        await this.confirmations.require(dbTx, actor)
        const [begun]: SealedSecret[] = await dbTx.query(BEGUN, [user.id])
        if (!begun) throw new DomainError('GONE', undefined, 'This set-up has expired. Please start again.')
        const step = stepOf(code, this.secrets.open(begun, user.id), await databaseTime(dbTx))
        if (step === null) throw invalidFields({ code: WRONG })
        await dbTx.query('DELETE FROM authenticator_setup WHERE user_id = $1', [user.id])
        return this.changes.add(dbTx, { user, browser, notice: 'authenticator_added' }, async () => {
          // The set-up may be older than a rotation of master keys, which wraps only the keys of apps that were added.
          await dbTx.query(ADD, [user.id, ...columnsOf(this.secrets.withCurrentKey(begun, user.id)), step])
        })
      }),
    )
  }

  /** @throws DomainError `NOT_FOUND` when there is none; `CONFIRMATION_REQUIRED`, `LAST_SECOND_FACTOR` */
  async remove(actor: UserActor): Promise<void> {
    await this.changes.count(actor.id)
    await this.source.transaction(async dbTx => {
      const user = await this.factors.lock(dbTx, actor.id)
      await this.confirmations.require(dbTx, actor)
      if (!(await removeAuthenticator(dbTx, user.id))) throw new DomainError('NOT_FOUND')
      await this.changes.removed(dbTx, user, 'authenticator_removed')
    })
  }
}

const columnsOf = ({ sealed, keyId, wrappedKey }: SealedSecret) => [sealed, keyId, wrappedKey]

async function removeAuthenticator(dbTx: EntityManager, userId: string): Promise<boolean> {
  const [, removed]: [unknown, number] = await dbTx.query('DELETE FROM authenticator WHERE user_id = $1', [userId])
  return removed === 1
}
