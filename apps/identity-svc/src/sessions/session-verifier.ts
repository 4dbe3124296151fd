import type { Answer } from '@holdfast/contracts/route'
import type { userInternalRoutes } from '@holdfast/contracts/users'
import { createPool } from '@holdfast/service-kit/database/pool'
import { Clock } from '@holdfast/service-kit/lifecycle/clock'
import { CONFIG, directUrl } from '@holdfast/service-kit/lifecycle/config'
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common'
import type { Pool } from 'pg'
import type { IdentityConfig } from '../config.js'
import { adminsNeedSecondFactor } from '../second-factor/second-factor-config.js'

/** Enough for a few replicas of the gateway, each of which sends one query at a time. */
export const SESSION_CONNECTIONS = 4

// Every money command runs this. Hex parameters and rows as arrays save conversions.
const LIVE_SESSIONS = `
  SELECT encode(session.token_hash, 'hex'), session.id, person.id,
    CASE WHEN person.role = 'admin' AND $3 AND session.second_factor_at IS NULL THEN 'user' ELSE person.role END,
    person.plan, person.role = 'admin' AND $3 AND session.second_factor_at IS NULL
  FROM sessions session JOIN users person ON person.id = session.user_id
  WHERE session.token_hash = ANY($1::bytea[]) AND session.expires_at > $2 AND session.revoked_at IS NULL
    AND person.suspended_at IS NULL`

type Verified = Answer<typeof userInternalRoutes.verifySessions>

/** Looks up live sessions. A call for any number of sessions runs one statement, which writes nothing. */
@Injectable()
export class SessionVerifier implements OnApplicationShutdown {
  readonly #pool: Pool
  readonly #adminsNeedSecondFactor: boolean

  constructor(
    private readonly clock: Clock,
    @Inject(CONFIG) config: IdentityConfig,
  ) {
    this.#adminsNeedSecondFactor = adminsNeedSecondFactor(config)
    this.#pool = createPool(directUrl(config), {
      schema: 'identity',
      max: SESSION_CONNECTIONS,
      forceGenericPlan: true,
    })
  }

  /**
   * The live sessions among these; unknown, expired and revoked ones are left out. An admin whose session lacks the second factor that
   * admins need has the role of a user, so that no service treats them as an admin.
   *
   * @param hashes SHA-256 of tokens, as 64 hexadecimal digits each
   */
  async verify(hashes: readonly string[]): Promise<Verified> {
    const array = `{${hashes.map(hash => `"\\\\x${hash}"`).join(',')}}`
    const values = [array, this.clock.now(), this.#adminsNeedSecondFactor]
    const query = { name: 'live-sessions', text: LIVE_SESSIONS, values, rowMode: 'array' }
    const { rows } = await this.#pool.query(query as { text: string; rowMode: 'array' })
    return rows as Verified
  }

  async onApplicationShutdown(): Promise<void> {
    await this.#pool.end()
  }
}
