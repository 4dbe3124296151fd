import type { MadePasskey } from '@holdfast/contracts/second-factor'
import { DomainError } from '@holdfast/kernel/errors'
import { newId } from '@holdfast/kernel/ids'
import { MAX_PASSKEYS, PASSKEY_MINUTES } from '@holdfast/kernel/second-factors'
import type { UserActor } from '@holdfast/service-kit/auth/actor'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import { Inject, Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { generateRegistrationOptions, verifyRegistrationResponse } from '@simplewebauthn/server'
import { DataSource } from 'typeorm'
import type { IdentityConfig } from '../config.js'
import type { Browser } from '../credentials/browser.js'
import { Confirmations } from '../second-factor/confirmations.js'
import { type AddedFactor, FactorChanges } from '../second-factor/factor-changes.js'
import { FactorsService } from '../second-factor/factors.service.js'
import { relyingPartyOf } from '../second-factor/second-factor-config.js'
import { challengeIn, userHandleOf } from './domain/client-data.js'
import { PasskeyChallenges } from './passkey-challenges.js'

const NAME = 'Holdfast'
const TOO_MANY = `You have ${MAX_PASSKEYS} passkeys already. Remove one first.`
const log = loggerOf('passkeys')
const ADD = `INSERT INTO passkey (id, user_id, credential_id, public_key, counter, transports, name, is_backed_up)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (credential_id) DO NOTHING RETURNING 1`

/** Adds and removes the passkeys of a user. */
@Injectable()
export class PasskeysService {
  readonly #party: { readonly domain: string; readonly origin: string }

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly challenges: PasskeyChallenges,
    private readonly confirmations: Confirmations,
    private readonly factors: FactorsService,
    private readonly changes: FactorChanges,
    @Inject(CONFIG) config: IdentityConfig,
  ) {
    this.#party = relyingPartyOf(config)
  }

  /** What the browser needs to make a passkey. @throws DomainError `CONFIRMATION_REQUIRED`; `CONFLICT` for too many; `RATE_LIMITED` */
  async start(actor: UserActor): Promise<Record<string, unknown>> {
    const { manager } = this.dataSource
    await this.confirmations.require(manager, actor)
    const user = await this.factors.get(actor.id)
    const own: { id: string; transports: string[] }[] = await manager.query(
      'SELECT credential_id AS id, transports FROM passkey WHERE user_id = $1',
      [user.id],
    )
    if (own.length >= MAX_PASSKEYS) throw new DomainError('CONFLICT', undefined, TOO_MANY)
    const challenge = await this.challenges.make({ purpose: 'register', boundTo: actor.sessionId ?? '' })
    return {
      ...(await generateRegistrationOptions({
        rpName: NAME,
        rpID: this.#party.domain,
        userName: user.email,
        userDisplayName: `${user.firstName} ${user.lastName}`,
        userID: userHandleOf(user.id),
        challenge: new Uint8Array(Buffer.from(challenge, 'base64url')),
        timeout: PASSKEY_MINUTES * 60_000,
        attestationType: 'none',
        excludeCredentials: own,
        // It signs in without the user's name, and the device checks its owner: so it counts as both factors.
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      })),
    }
  }

  /**
   * Adds a passkey that the browser has made.
   *
   * @throws DomainError `PASSKEY_REFUSED` for a wrong answer, a used challenge, and a passkey that somebody has already;
   * `CONFIRMATION_REQUIRED`, `CONFLICT` for too many
   */
  async add(actor: UserActor, name: string, made: MadePasskey, browser: Browser): Promise<AddedFactor> {
    const challenge = challengeIn(made.response.clientDataJSON)
    if (challenge === null) throw new DomainError('PASSKEY_REFUSED')
    await this.changes.count(actor.id)
    await this.challenges.take(challenge, { purpose: 'register', boundTo: actor.sessionId ?? '' })
    const { credential, credentialBackedUp } = await this.#check(made, challenge)
    return this.dataSource.transaction(async dbTx => {
      const user = await this.factors.lock(dbTx, actor.id)
      await this.confirmations.require(dbTx, actor)
      const [{ count }]: [{ count: number }] = await dbTx.query(
        'SELECT count(*)::int AS count FROM passkey WHERE user_id = $1',
        [user.id],
      )
      if (count >= MAX_PASSKEYS) throw new DomainError('CONFLICT', undefined, TOO_MANY)
      return this.changes.add(dbTx, { user, browser, notice: 'passkey_added' }, async () => {
        const values = [newId(), user.id, credential.id, Buffer.from(credential.publicKey), credential.counter]
        const rows: unknown[] = await dbTx.query(ADD, [
          ...values,
          credential.transports ?? [],
          name,
          credentialBackedUp,
        ])
        if (rows.length === 0) throw new DomainError('PASSKEY_REFUSED')
      })
    })
  }

  /** @throws DomainError `NOT_FOUND` when it is none of the user's; `CONFIRMATION_REQUIRED`, `LAST_SECOND_FACTOR` */
  async remove(actor: UserActor, passkeyId: string): Promise<void> {
    await this.changes.count(actor.id)
    await this.dataSource.transaction(async dbTx => {
      const user = await this.factors.lock(dbTx, actor.id)
      await this.confirmations.require(dbTx, actor)
      const [, removed]: [unknown, number] = await dbTx.query('DELETE FROM passkey WHERE id = $1 AND user_id = $2', [
        passkeyId,
        user.id,
      ])
      if (removed !== 1) throw new DomainError('NOT_FOUND')
      await this.changes.removed(dbTx, user, 'passkey_removed')
    })
  }

  async #check(made: MadePasskey, challenge: string) {
    const { id, rawId, type, response } = made
    try {
      const { verified, registrationInfo } = await verifyRegistrationResponse({
        response: {
          ...{ id, rawId, type, clientExtensionResults: {} },
          response: {
            clientDataJSON: response.clientDataJSON,
            attestationObject: response.attestationObject,
            transports: response.transports ?? [],
          },
        },
        expectedChallenge: challenge,
        expectedOrigin: this.#party.origin,
        expectedRPID: this.#party.domain,
        requireUserVerification: true,
      })
      if (verified) return registrationInfo
    } catch (error) {
      // The library throws plain errors for everything that a client can send.
      log.warn({ err: error }, 'a new passkey was refused')
    }
    throw new DomainError('PASSKEY_REFUSED')
  }
}
