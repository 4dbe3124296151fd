import { DomainError } from '@holdfast/kernel/errors'
import { SECOND_STEP_MINUTES } from '@holdfast/kernel/second-factors'
import { hashOfToken, newToken } from '@holdfast/service-kit/auth/secret-token'
import { deletionOf, PeriodicCleanup } from '@holdfast/service-kit/database/periodic-cleanup'
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource, type EntityManager } from 'typeorm'
import { User } from '../users/user.entity.js'

const VALID_SECONDS = SECOND_STEP_MINUTES * 60
/** The most sign-ins of one user that wait for their second step. A further one ends the oldest. */
export const MAX_STEPS_PER_USER = 100
const END_OLDEST = `DELETE FROM sign_in_step WHERE token_hash IN
  (SELECT token_hash FROM sign_in_step WHERE user_id = $1 ORDER BY expires_at DESC, token_hash OFFSET $2)`
const FIND = `SELECT user_id AS "userId" FROM sign_in_step JOIN users ON users.id = user_id
  WHERE token_hash = $1 AND expires_at > clock_timestamp() AND sign_in_step.password_version = users.password_version`

/**
 * The sign-ins whose first step is done. Their token is in a cookie of the browser that did it. The token is no session: only the second
 * step reads this table.
 */
@Injectable()
export class SignInSteps extends PeriodicCleanup {
  constructor(@InjectDataSource() private readonly source: DataSource) {
    super(source, 'sign-ins without their second step', deletionOf('sign_in_step', 'expires_at'))
  }

  /** Records that a user has done the first step. @returns the token for the browser */
  async begin(dbTx: EntityManager, { id, passwordVersion }: User): Promise<string> {
    const token = newToken()
    await dbTx.query(
      `INSERT INTO sign_in_step (token_hash, user_id, password_version, expires_at)
       VALUES ($1, $2, $3, clock_timestamp() + $4 * interval '1 second')`,
      [hashOfToken(token), id, passwordVersion, VALID_SECONDS],
    )
    await dbTx.query(END_OLDEST, [id, MAX_STEPS_PER_USER])
    return token
  }

  /**
   * Whose sign-in it is, without ending it.
   *
   * @throws DomainError `GONE` for a token that is unknown, used or too old, and after a change of the password
   */
  async ownerOf(token: string | null): Promise<string> {
    return ownerIn(this.source.manager, token)
  }

  /**
   * Ends a sign-in with its second step, in the dbTx that opens the session. The user is locked against a change of the password and of
   * the factors.
   *
   * @throws DomainError `GONE` as `ownerOf`
   */
  async take(dbTx: EntityManager, token: string | null): Promise<User> {
    const userId = await ownerIn(dbTx, token)
    const user = await dbTx.findOne(User, { where: { id: userId }, lock: { mode: 'pessimistic_read' } })
    const [, taken]: [unknown, number] = await dbTx.query(
      'DELETE FROM sign_in_step WHERE token_hash = $1 AND user_id = $2 AND password_version = $3',
      [hashOfToken(token!), userId, user?.passwordVersion ?? 0],
    )
    return user && taken === 1 ? user : gone()
  }

  /** Ends all sign-ins of a user that wait for their second step. */
  async endAll(dbTx: EntityManager, userId: string): Promise<void> {
    await dbTx.query('DELETE FROM sign_in_step WHERE user_id = $1', [userId])
  }
}

async function ownerIn(dbTx: EntityManager, token: string | null): Promise<string> {
  const rows: { userId: string }[] = token === null ? [] : await dbTx.query(FIND, [hashOfToken(token)])
  return rows[0]?.userId ?? gone()
}

function gone(): never {
  throw new DomainError('GONE', undefined, 'This sign-in has expired. Please start again.')
}
