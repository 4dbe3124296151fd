import type { UsedPasskey } from '@holdfast/contracts/second-factor'
import { DomainError } from '@holdfast/kernel/errors'
import type { UserActor } from '@holdfast/service-kit/auth/actor'
import { addressKey, networkKey } from '@holdfast/service-kit/auth/address-key'
import { type AttemptLimit, Attempts } from '@holdfast/service-kit/auth/attempts'
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import type { Browser } from '../credentials/browser.js'
import { type SignedIn, SignInService } from '../credentials/sign-in.service.js'
import { SignInSteps } from '../second-factor/sign-in-steps.js'
import { User } from '../users/user.entity.js'
import { PasskeyUse } from './passkey-use.js'

/** Sign-ins with a passkey that begin from one address. A signature cannot be guessed: the limit spares the database. */
const PASSKEY_SIGN_INS_PER_ADDRESS: AttemptLimit = { attempts: 300, seconds: 15 * 60 }
/** The same from all addresses of one network. */
const PASSKEY_SIGN_INS_PER_NETWORK: AttemptLimit = { attempts: 1_000, seconds: 15 * 60 }
const SIGN_IN = { purpose: 'sign_in', boundTo: '' } as const

/** Signs users in with a passkey alone, and asks for passkeys in the second step and for a confirmation. */
@Injectable()
export class PasskeySignInService {
  readonly #perAddress: Attempts
  readonly #perNetwork: Attempts

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly passkeys: PasskeyUse,
    private readonly signIns: SignInService,
    private readonly steps: SignInSteps,
  ) {
    this.#perAddress = new Attempts(dataSource, 'passkey-sign-in', PASSKEY_SIGN_INS_PER_ADDRESS)
    this.#perNetwork = new Attempts(dataSource, 'passkey-sign-in-network', PASSKEY_SIGN_INS_PER_NETWORK)
  }

  /** Begins a sign-in; the device finds the passkey. @throws DomainError `RATE_LIMITED` */
  async start(clientIp: string | null): Promise<Record<string, unknown>> {
    await this.#count(clientIp)
    return this.passkeys.optionsFor(SIGN_IN, null)
  }

  /** Opens a session, which counts as made with a second factor. @throws DomainError `PASSKEY_REFUSED`, `RATE_LIMITED` */
  async signIn(passkey: UsedPasskey, browser: Browser): Promise<SignedIn> {
    await this.#count(browser.clientIp)
    const used = await this.passkeys.verify(passkey, SIGN_IN, null)
    return this.dataSource.transaction(async dbTx => {
      const user = await dbTx.findOne(User, { where: { id: used.userId }, lock: { mode: 'pessimistic_read' } })
      if (!user || user.closingId !== null) throw new DomainError('PASSKEY_REFUSED')
      await this.passkeys.recordUse(dbTx, used)
      return this.signIns.open(dbTx, user, browser, true)
    })
  }

  async #count(clientIp: string | null): Promise<void> {
    await this.#perAddress.count(addressKey(clientIp))
    await this.#perNetwork.count(networkKey(clientIp))
  }

  /** Begins the use of a passkey as the second step. @throws DomainError `GONE`, `RATE_LIMITED` */
  async startSecondStep({ stepToken }: Browser): Promise<Record<string, unknown>> {
    const userId = await this.steps.ownerOf(stepToken)
    return this.passkeys.optionsFor({ purpose: 'second_step', boundTo: stepToken ?? '' }, userId)
  }

  /** Begins the use of a passkey as a confirmation. @throws DomainError `RATE_LIMITED` */
  startConfirmation(actor: UserActor): Promise<Record<string, unknown>> {
    return this.passkeys.optionsFor({ purpose: 'confirm', boundTo: actor.sessionId ?? '' }, actor.id)
  }
}
