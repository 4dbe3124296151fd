import { DomainError } from '@holdfast/kernel/errors'
import { hashOfToken, newToken } from '@holdfast/service-kit/auth/secret-token'
import { deletionOf, PeriodicCleanup } from '@holdfast/service-kit/database/periodic-cleanup'
import type { Queryable } from '@holdfast/service-kit/database/queryable'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { Inject, Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import type { IdentityConfig } from '../config.js'
import type { User } from '../users/user.entity.js'

/** What a mailed link is for. */
export const MAILED_TOKEN_PURPOSES = [
  'confirm_email',
  'change_email',
  'reset_password',
  'confirm_payout_account',
] as const
export type MailedTokenPurpose = (typeof MAILED_TOKEN_PURPOSES)[number]

/** How long a mailed link can be used, in days. */
const VALID_DAYS = 1

/** Whose token it was, and the address to which it was mailed. */
interface TakenToken {
  readonly userId: string
  readonly purpose: MailedTokenPurpose
  readonly email: string
  /** The change of the payout account that it confirms; null for another purpose. */
  readonly changeId: string | null
}

/**
 * The tokens in mailed links. Only their hashes are stored. A mail that is sent again has a token of its own, and all of them are
 * valid until one is used. The one that has confirmed an address stays valid.
 */
@Injectable()
export class MailedTokens extends PeriodicCleanup {
  constructor(
    @InjectDataSource() private readonly source: DataSource,
    @Inject(CONFIG) private readonly config: IdentityConfig,
  ) {
    super(source, 'tokens of mailed links', deletionOf('mailed_token', 'expires_at'))
  }

  /**
   * Makes a token that is mailed to `email`. Called when its mail is sent, so that the token rests nowhere but in the mail. Null when the
   * user's address or password was changed since `user` was read: that change has ended all links, and must end this one, too.
   *
   * @param changeId the change of the payout account that it confirms
   */
  async make(
    user: User,
    purpose: MailedTokenPurpose,
    email: string,
    changeId: string | null = null,
  ): Promise<string | null> {
    const token = newToken()
    const made: unknown[] = await this.source.query(
      `INSERT INTO mailed_token (token_hash, user_id, purpose, email, expires_at, change_id)
       SELECT $1, id, $3, $4, now() + $5 * interval '1 second', $8::uuid FROM users
       WHERE id = $2 AND users.email = $6 AND password_version = $7 FOR SHARE
       RETURNING 1`,
      [
        hashOfToken(token),
        user.id,
        purpose,
        email,
        VALID_DAYS * this.config.DAY_SECONDS,
        user.email,
        user.passwordVersion,
        changeId,
      ],
    )
    return made.length === 0 ? null : token
  }

  /**
   * Whose token it is, without using it.
   *
   * @throws DomainError `GONE`
   */
  async ownerOf(token: string, purpose: MailedTokenPurpose): Promise<TakenToken> {
    const rows: TakenToken[] = await this.source.query(
      `SELECT user_id AS "userId", purpose, email, change_id AS "changeId" FROM mailed_token
       WHERE token_hash = $1 AND purpose = $2 AND expires_at > now()`,
      [hashOfToken(token), purpose],
    )
    return rows[0] ?? gone()
  }

  /**
   * Uses a token in a dbTx. It and all others of the same user and purpose are gone afterwards. Only a token that confirms an address
   * stays until it is too old: whoever opens that link again is to read that the address is confirmed, and confirming it again changes
   * nothing. The user's row is locked first, so that two links of a user that are used at the same moment wait for one another.
   *
   * @throws DomainError `GONE` for a token that is unknown, used, too old, or for another purpose
   */
  async take(dbTx: Queryable, token: string, ...purposes: readonly MailedTokenPurpose[]): Promise<TakenToken> {
    await dbTx.query(
      `SELECT 1 FROM users WHERE id = (SELECT user_id FROM mailed_token WHERE token_hash = $1) FOR UPDATE`,
      [hashOfToken(token)],
    )
    const rows = (await dbTx.query(
      `SELECT user_id AS "userId", purpose, email, change_id AS "changeId" FROM mailed_token
       WHERE token_hash = $1 AND purpose = ANY($2) AND expires_at > now()`,
      [hashOfToken(token), purposes],
    )) as TakenToken[]
    const taken = rows[0] ?? gone()
    await dbTx.query(
      `DELETE FROM mailed_token WHERE user_id = $1 AND purpose = $2 AND (purpose <> 'confirm_email' OR token_hash <> $3)`,
      [taken.userId, taken.purpose, hashOfToken(token)],
    )
    return taken
  }
}

/** @throws DomainError `GONE`: a mailed link opens nothing any more */
export function gone(): never {
  throw new DomainError('GONE', undefined, 'This link has expired or was used already.')
}
