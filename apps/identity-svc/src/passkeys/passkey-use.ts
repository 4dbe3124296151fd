import type { UsedPasskey } from '@holdfast/contracts/second-factor'
import { DomainError } from '@holdfast/kernel/errors'
import { PASSKEY_MINUTES } from '@holdfast/kernel/second-factors'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import { Inject, Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { generateAuthenticationOptions, verifyAuthenticationResponse } from '@simplewebauthn/server'
import { DataSource, type EntityManager } from 'typeorm'
import type { IdentityConfig } from '../config.js'
import { relyingPartyOf } from '../second-factor/second-factor-config.js'
import { challengeIn, userHandleOf } from './domain/client-data.js'
import { type ChallengeFor, PasskeyChallenges } from './passkey-challenges.js'

const log = loggerOf('passkeys')
const FIND = `SELECT id, user_id AS "userId", credential_id AS "credentialId", public_key AS "publicKey",
  counter::text AS counter FROM passkey WHERE credential_id = $1`
// Equal counters are allowed only at zero: many passkeys do not count (Web Authentication Level 3, section 6.1.1).
const RECORD_USE = `UPDATE passkey SET counter = $2, used_at = clock_timestamp(), is_backed_up = $3
  WHERE id = $1 AND (counter < $2 OR (counter = 0 AND $2 = 0))`

interface Row {
  readonly id: string
  readonly userId: string
  readonly credentialId: string
  readonly publicKey: Buffer
  readonly counter: string
}

/** A passkey whose signature was right. */
export interface VerifiedPasskey {
  readonly id: string
  readonly userId: string
  readonly counter: number
  readonly isBackedUp: boolean
}

/** Asks for passkeys and checks what they have signed. The device has to check its owner each time. */
@Injectable()
export class PasskeyUse {
  readonly #party: { readonly domain: string; readonly origin: string }

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly challenges: PasskeyChallenges,
    @Inject(CONFIG) config: IdentityConfig,
  ) {
    this.#party = relyingPartyOf(config)
  }

  /**
   * What the browser needs to use a passkey.
   *
   * @param userId whose passkeys may be used; null for any that the device knows
   */
  async optionsFor(challengeFor: ChallengeFor, userId: string | null): Promise<Record<string, unknown>> {
    const rows: { id: string; transports: string[] }[] =
      userId === null
        ? []
        : await this.dataSource.query('SELECT credential_id AS id, transports FROM passkey WHERE user_id = $1', [
            userId,
          ])
    const challenge = await this.challenges.make(challengeFor)
    return {
      ...(await generateAuthenticationOptions({
        rpID: this.#party.domain,
        challenge: Buffer.from(challenge, 'base64url'),
        timeout: PASSKEY_MINUTES * 60_000,
        userVerification: 'required',
        ...(userId === null ? {} : { allowCredentials: rows }),
      })),
    }
  }

  /**
   * Checks what a passkey has signed, and uses the challenge up. The caller then calls `recordUse` in the dbTx of what the passkey allows.
   *
   * @param userId the user whose passkey it must be; null to accept every user's
   * @throws DomainError `PASSKEY_REFUSED`: the same for an unknown passkey, another user's, a wrong signature or origin, a used challenge
   */
  async verify(used: UsedPasskey, challengeFor: ChallengeFor, userId: string | null): Promise<VerifiedPasskey> {
    const challenge = challengeIn(used.response.clientDataJSON)
    if (challenge === null) throw new DomainError('PASSKEY_REFUSED')
    await this.challenges.take(challenge, challengeFor)
    const [row]: Row[] = await this.dataSource.query(FIND, [used.id])
    if (!row || (userId !== null && row.userId !== userId) || !isHandleOf(used, row.userId))
      throw new DomainError('PASSKEY_REFUSED')
    const { newCounter, credentialBackedUp } = await this.#check(used, challenge, row)
    return { id: row.id, userId: row.userId, counter: newCounter, isBackedUp: credentialBackedUp }
  }

  /**
   * Records the use of a passkey in a dbTx. A counter that did not grow means that the passkey was copied.
   *
   * @throws DomainError `PASSKEY_REFUSED` for a counter that did not grow, and when the passkey was removed meanwhile
   */
  async recordUse(dbTx: EntityManager, { id, counter, isBackedUp }: VerifiedPasskey): Promise<void> {
    const [, counted]: [unknown, number] = await dbTx.query(RECORD_USE, [id, counter, isBackedUp])
    if (counted !== 1) throw new DomainError('PASSKEY_REFUSED')
  }

  async #check(used: UsedPasskey, challenge: string, { id, credentialId, publicKey, counter }: Row) {
    try {
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response: {
          ...{ id: used.id, rawId: used.rawId, type: used.type, clientExtensionResults: {} },
          response: {
            clientDataJSON: used.response.clientDataJSON,
            authenticatorData: used.response.authenticatorData,
            signature: used.response.signature,
          },
        },
        expectedChallenge: challenge,
        expectedOrigin: this.#party.origin,
        expectedRPID: this.#party.domain,
        credential: { id: credentialId, publicKey: new Uint8Array(publicKey), counter: Number(counter) },
        requireUserVerification: true,
      })
      if (verified) return authenticationInfo
    } catch (error) {
      // The library throws plain errors for everything that a client can send, also for a counter that went back.
      log.warn({ err: error, passkeyId: id }, 'a passkey was refused')
    }
    throw new DomainError('PASSKEY_REFUSED')
  }
}

/** The handle of a discoverable passkey is that of its user. It may be missing when our options named the passkey (`allowCredentials`). */
function isHandleOf({ response: { userHandle } }: UsedPasskey, userId: string): boolean {
  return userHandle === undefined || Buffer.from(userHandle, 'base64url').equals(Buffer.from(userHandleOf(userId)))
}
