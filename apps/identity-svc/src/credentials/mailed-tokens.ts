import { DomainError } from '@holdfast/kernel/errors'
import { PeriodicCleanup } from '@holdfast/service-kit/database/periodic-cleanup'
import type { Queryable } from '@holdfast/service-kit/database/queryable'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { Inject, Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import type { IdentityConfig } from '../config.js'
import { hashOfToken, newToken } from '../sessions/session-token.js'

/** What a mailed link is for. */
export const MAILED_TOKEN_PURPOSES = ['confirm_email', 'change_email', 'reset_password'] as const
export type MailedTokenPurpose = (typeof MAILED_TOKEN_PURPOSES)[number]

/** How long a mailed link can be used, in days. */
const VALID_DAYS = 1

/** Whose token it was, and the address to which it was mailed. */
interface TakenToken {
  readonly userId: string
  readonly purpose: MailedTokenPurpose
  readonly email: string
}

/**
 * The tokens in mailed links. Only their hashes are stored. A mail that is sent again has a token of its own, and all of them are
 * valid until one is used.
 */
@Injectable()
export class MailedTokens extends PeriodicCleanup {
  constructor(
    @InjectDataSource() private readonly source: DataSource,
    @Inject(CONFIG) private readonly config: IdentityConfig,
  ) {
    super(
      source,
      'tokens of mailed links',
      `WITH gone AS (DELETE FROM mailed_token WHERE token_hash IN
         (SELECT token_hash FROM mailed_token WHERE expires_at < now() LIMIT $1) RETURNING 1)
       SELECT count(*)::int AS deleted FROM gone`,
    )
  }

  /** Makes a token. Called when its mail is sent, so that the token rests nowhere but in the mail. */
  async make(userId: string, purpose: MailedTokenPurpose, email: string): Promise<string> {
    const token = newToken()
    await this.source.query(
      `INSERT INTO mailed_token (token_hash, user_id, purpose, email, expires_at)
       VALUES ($1, $2, $3, $4, now() + $5 * interval '1 second')`,
      [hashOfToken(token), userId, purpose, email, VALID_DAYS * this.config.DAY_SECONDS],
    )
    return token
  }

  /**
   * Whose token it is, without using it.
   *
   * @throws DomainError `GONE`
   */
  async ownerOf(token: string, purpose: MailedTokenPurpose): Promise<TakenToken> {
    const rows: TakenToken[] = await this.source.query(
      `SELECT user_id AS "userId", purpose, email FROM mailed_token WHERE token_hash = $1 AND purpose = $2 AND expires_at > now()`,
      [hashOfToken(token), purpose],
    )
    return rows[0] ?? gone()
  }

  /**
   * Uses a token in a dbTx. It and all others of the same user and purpose are gone afterwards.
   *
   * @throws DomainError `GONE` for a token that is unknown, used, too old, or for another purpose
   */
  async take(dbTx: Queryable, token: string, ...purposes: readonly MailedTokenPurpose[]): Promise<TakenToken> {
    const [rows] = (await dbTx.query(
      `DELETE FROM mailed_token WHERE token_hash = $1 AND purpose = ANY($2) AND expires_at > now()
       RETURNING user_id AS "userId", purpose, email`,
      [hashOfToken(token), purposes],
    )) as [TakenToken[], number]
    const taken = rows[0] ?? gone()
    await dbTx.query('DELETE FROM mailed_token WHERE user_id = $1 AND purpose = $2', [taken.userId, taken.purpose])
    return taken
  }
}

function gone(): never {
  throw new DomainError('GONE', undefined, 'This link has expired or was used already.')
}
