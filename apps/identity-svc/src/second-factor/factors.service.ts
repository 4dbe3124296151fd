import type { SecondFactorState } from '@holdfast/contracts/second-factor'
import { DomainError } from '@holdfast/kernel/errors'
import type { SecondFactorMethod } from '@holdfast/kernel/second-factors'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { Inject, Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource, type EntityManager } from 'typeorm'
import type { IdentityConfig } from '../config.js'
import { User } from '../users/user.entity.js'
import { adminsNeedSecondFactor } from './second-factor-config.js'

const COUNTS = `SELECT
    (SELECT added_at FROM authenticator WHERE user_id = $1) AS "authenticatorAddedAt",
    (SELECT count(*)::int FROM passkey WHERE user_id = $1) AS passkeys,
    (SELECT count(*)::int FROM recovery_code WHERE user_id = $1 AND used_at IS NULL) AS "recoveryCodesLeft"`
const PASSKEYS = `SELECT id, name, added_at AS "addedAt", used_at AS "usedAt", is_backed_up AS "isBackedUp"
  FROM passkey WHERE user_id = $1 ORDER BY added_at, id`

interface Counts {
  readonly authenticatorAddedAt: Date | null
  readonly passkeys: number
  readonly recoveryCodesLeft: number
}

/** Knows which second factors a user has. */
@Injectable()
export class FactorsService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(CONFIG) private readonly config: IdentityConfig,
  ) {}

  /** How the user can show a second factor; empty when they have none. */
  async methodsOf(userId: string, dbTx: EntityManager = this.dataSource.manager): Promise<SecondFactorMethod[]> {
    const { authenticatorAddedAt, passkeys, recoveryCodesLeft } = await countsOf(dbTx, userId)
    if (authenticatorAddedAt === null && passkeys === 0) return []
    return [
      ...(authenticatorAddedAt ? (['authenticator'] as const) : []),
      ...(passkeys > 0 ? (['passkey'] as const) : []),
      ...(recoveryCodesLeft > 0 ? (['recovery_code'] as const) : []),
    ]
  }

  async stateOf(userId: string): Promise<SecondFactorState> {
    const { manager } = this.dataSource
    const { authenticatorAddedAt, recoveryCodesLeft } = await countsOf(manager, userId)
    const passkeys: { id: string; name: string; addedAt: Date; usedAt: Date | null; isBackedUp: boolean }[] =
      await manager.query(PASSKEYS, [userId])
    return {
      authenticator: authenticatorAddedAt && { addedAt: authenticatorAddedAt.toISOString() },
      passkeys: passkeys.map(({ addedAt, usedAt, ...passkey }) => ({
        ...passkey,
        addedAt: addedAt.toISOString(),
        usedAt: usedAt?.toISOString() ?? null,
      })),
      recoveryCodesLeft,
      isRequired: this.isRequiredOf(await this.get(userId)),
    }
  }

  /** @throws DomainError `UNAUTHENTICATED` when the account no longer exists */
  async get(userId: string): Promise<User> {
    const user = await this.dataSource.getRepository(User).findOneBy({ id: userId })
    if (!user) throw new DomainError('UNAUTHENTICATED')
    return user
  }

  /** Whether the user must have a second factor. */
  isRequiredOf({ role }: Pick<User, 'role'>): boolean {
    return role === 'admin' && adminsNeedSecondFactor(this.config)
  }

  /**
   * Locks a user whose factors are about to change, so that changes and sign-ins of the user wait for one another.
   *
   * @throws DomainError `UNAUTHENTICATED` when the account no longer exists
   */
  async lock(dbTx: EntityManager, userId: string): Promise<User> {
    const user = await dbTx.findOne(User, { where: { id: userId }, lock: { mode: 'pessimistic_write' } })
    if (!user) throw new DomainError('UNAUTHENTICATED')
    return user
  }
}

async function countsOf(dbTx: EntityManager, userId: string): Promise<Counts> {
  const [row]: Counts[] = await dbTx.query(COUNTS, [userId])
  return row!
}
