import { EXPORT_ADDRESS_MINUTES } from '@holdfast/kernel/account'
import { DomainError } from '@holdfast/kernel/errors'
import type { UserActor } from '@holdfast/service-kit/auth/actor'
import { type AttemptLimit, Attempts } from '@holdfast/service-kit/auth/attempts'
import { hashOfToken, newToken } from '@holdfast/service-kit/auth/secret-token'
import { deletionOf, PeriodicCleanup } from '@holdfast/service-kit/database/periodic-cleanup'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { Inject, Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import type { IdentityConfig } from '../config.js'
import type { Browser } from '../credentials/browser.js'
import { User } from '../users/user.entity.js'
import { ProofOfPerson, refuseOld } from './proof-of-person.js'

/** Exports of one user within a day: each reads everything that is kept about them. */
export const EXPORTS_PER_DAY = 10
const limitOf = ({ DAY_SECONDS }: IdentityConfig): AttemptLimit => ({
  attempts: EXPORTS_PER_DAY,
  seconds: DAY_SECONDS,
  refusal: 'You have exported your data several times today. Please try again tomorrow.',
})

const ADD = `INSERT INTO data_export (token_hash, user_id, expires_at) VALUES ($1, $2, now() + $3 * interval '1 minute')
  RETURNING expires_at AS "expiresAt"`
const TAKE = 'DELETE FROM data_export WHERE token_hash = $1 AND user_id = $2 AND expires_at > now() RETURNING 1'

/** Makes the links by which users download their data. Only the hash of a link's token is stored. */
@Injectable()
export class ExportsService extends PeriodicCleanup {
  readonly #perUser: Attempts

  constructor(
    @InjectDataSource() private readonly source: DataSource,
    private readonly proof: ProofOfPerson,
    @Inject(CONFIG) config: IdentityConfig,
  ) {
    super(source, 'exports', deletionOf('data_export', 'expires_at'))
    this.#perUser = new Attempts(source, 'data-exports', limitOf(config))
  }

  /** @throws DomainError as `ProofOfPerson.require`; `RATE_LIMITED` */
  async create(actor: UserActor, password: string | undefined, browser: Browser) {
    const proof = await this.proof.require(actor, password, browser)
    await this.#perUser.count(actor.id)
    const token = newToken()
    const values = [hashOfToken(token), actor.id, EXPORT_ADDRESS_MINUTES]
    return this.source.transaction(async dbTx => {
      const user = await dbTx.findOneOrFail(User, { where: { id: actor.id }, lock: { mode: 'pessimistic_read' } })
      await refuseOld(dbTx, user, actor, proof)
      const [row]: { expiresAt: Date }[] = await dbTx.query(ADD, values)
      return { token, expiresAt: row!.expiresAt.toISOString() }
    })
  }

  /** Uses a link up. @throws DomainError `NOT_FOUND` for one that was used, is too old, or is another user's */
  async take(userId: string, token: string): Promise<void> {
    const [, taken]: [unknown, number] = await this.source.query(TAKE, [hashOfToken(token), userId])
    if (taken === 0) throw new DomainError('NOT_FOUND')
  }
}
