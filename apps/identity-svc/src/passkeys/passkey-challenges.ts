import { DomainError } from '@holdfast/kernel/errors'
import { PASSKEY_MINUTES, type PasskeyPurpose } from '@holdfast/kernel/second-factors'
import { type AttemptLimit, Attempts } from '@holdfast/service-kit/auth/attempts'
import { hashOfToken, newToken } from '@holdfast/service-kit/auth/secret-token'
import { deletionOf, PeriodicCleanup } from '@holdfast/service-kit/database/periodic-cleanup'
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'

/** What a challenge is for. */
export interface ChallengeFor {
  readonly purpose: PasskeyPurpose
  /** The session, or the token of the second step, in which it is used; empty when it is bound to none. */
  readonly boundTo: string
}

/** Challenges for one session, or one sign-in between its steps. A person needs far fewer: the limit spares the database. */
export const CHALLENGES_PER_SESSION: AttemptLimit = { attempts: 30, seconds: 15 * 60 }

/** The challenges that passkeys sign. Each is valid once, for a few minutes, for one purpose and one session. */
@Injectable()
export class PasskeyChallenges extends PeriodicCleanup {
  readonly #perSession: Attempts

  constructor(@InjectDataSource() private readonly source: DataSource) {
    super(source, 'challenges of passkeys', deletionOf('passkey_challenge', 'expires_at'))
    this.#perSession = new Attempts(source, 'passkey-challenge', CHALLENGES_PER_SESSION)
  }

  /** @returns a challenge in base64url @throws DomainError `RATE_LIMITED` for too many that are bound to the same */
  async make({ purpose, boundTo }: ChallengeFor): Promise<string> {
    // Challenges that are bound to nothing are limited by network address where a sign-in begins.
    if (boundTo !== '') await this.#perSession.count(boundOf(boundTo))
    const challenge = newToken()
    await this.source.query(
      `INSERT INTO passkey_challenge (challenge_hash, purpose, bound_to, expires_at)
       VALUES ($1, $2, $3, clock_timestamp() + $4 * interval '1 minute')`,
      [hashOfToken(challenge), purpose, boundOf(boundTo), PASSKEY_MINUTES],
    )
    return challenge
  }

  /**
   * Uses a challenge up, whether its signature turns out to be right or not.
   *
   * @throws DomainError `PASSKEY_REFUSED` for one that is unknown, used, too old, or was made for something else
   */
  async take(challenge: string, { purpose, boundTo }: ChallengeFor): Promise<void> {
    const [, taken]: [unknown, number] = await this.source.query(
      `DELETE FROM passkey_challenge
       WHERE challenge_hash = $1 AND purpose = $2 AND bound_to = $3 AND expires_at > clock_timestamp()`,
      [hashOfToken(challenge), purpose, boundOf(boundTo)],
    )
    if (taken !== 1) throw new DomainError('PASSKEY_REFUSED')
  }
}

/** A hash, because it can be a token. */
const boundOf = (boundTo: string): string => (boundTo === '' ? '' : hashOfToken(boundTo).toString('base64url'))
