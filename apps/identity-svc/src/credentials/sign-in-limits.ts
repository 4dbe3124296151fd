import { createHash } from 'node:crypto'
import { DomainError } from '@holdfast/kernel/errors'
import { addressKey, networkKey } from '@holdfast/service-kit/auth/address-key'
import { type AttemptLimit, Attempts } from '@holdfast/service-kit/auth/attempts'
import { Injectable } from '@nestjs/common'
import { DataSource } from 'typeorm'

const QUARTER_HOUR_SECONDS = 15 * 60

/** Wrong passwords for one account from one address. */
const FAILURES_PER_ACCOUNT_AND_ADDRESS: AttemptLimit = { attempts: 10, seconds: QUARTER_HOUR_SECONDS }
/** Wrong passwords for one account from one network, so that a person with a whole network cannot lock an account. */
export const FAILURES_PER_ACCOUNT_AND_NETWORK: AttemptLimit = { attempts: 30, seconds: QUARTER_HOUR_SECONDS }
/** Wrong passwords from one address for all accounts. */
export const FAILURES_PER_ADDRESS: AttemptLimit = { attempts: 100, seconds: QUARTER_HOUR_SECONDS }
/** Wrong passwords from one network for all accounts. */
export const FAILURES_PER_NETWORK: AttemptLimit = { attempts: 300, seconds: QUARTER_HOUR_SECONDS }
/** Wrong passwords for one account from all addresses, against guessing from many addresses. */
export const FAILURES_PER_ACCOUNT: AttemptLimit = { attempts: 100, seconds: QUARTER_HOUR_SECONDS }
/** Wrong passwords with one browser with which the owner has signed in before. */
export const FAILURES_PER_DEVICE: AttemptLimit = { attempts: 10, seconds: QUARTER_HOUR_SECONDS }
/** Sign-ups from one address, failed ones included. Many people can share an address, as on a campus. */
export const SIGN_UPS_PER_ADDRESS: AttemptLimit = { attempts: 300, seconds: 4 * QUARTER_HOUR_SECONDS }

/** An attempt to sign in. */
export interface SignInAttempt {
  readonly email: string
  readonly clientIp: string | null
  /** The token of the browser, when this account's owner has signed in with it before. */
  readonly knownDevice: string | null
}

/** A limit, and the key of an attempt in it. */
interface Counted {
  readonly attempts: Attempts
  readonly key: string
}

/**
 * Limits guessing, in such a way that strangers cannot lock a user out. An attempt with a known browser counts for that browser
 * alone, which strangers do not have. Other failures count per address and network first. The limit of the whole account does
 * not apply to an address from which its owner has signed in before.
 */
@Injectable()
export class SignInLimits {
  readonly #perAccountAndAddress: Attempts
  readonly #perAccountAndNetwork: Attempts
  readonly #perAddress: Attempts
  readonly #perNetwork: Attempts
  readonly #perAccount: Attempts
  readonly #perDevice: Attempts
  readonly #signUps: Attempts

  constructor(dataSource: DataSource) {
    this.#perAccountAndAddress = new Attempts(dataSource, 'sign-in-pair', FAILURES_PER_ACCOUNT_AND_ADDRESS)
    this.#perAccountAndNetwork = new Attempts(dataSource, 'sign-in-network-pair', FAILURES_PER_ACCOUNT_AND_NETWORK)
    this.#perAddress = new Attempts(dataSource, 'sign-in-address', FAILURES_PER_ADDRESS)
    this.#perNetwork = new Attempts(dataSource, 'sign-in-network', FAILURES_PER_NETWORK)
    this.#perAccount = new Attempts(dataSource, 'sign-in-account', FAILURES_PER_ACCOUNT)
    this.#perDevice = new Attempts(dataSource, 'sign-in-device', FAILURES_PER_DEVICE)
    this.#signUps = new Attempts(dataSource, 'sign-up-address', SIGN_UPS_PER_ADDRESS)
  }

  /**
   * Counts an attempt as failed. `succeeded` takes it back.
   *
   * @param isKnownAddress called only when the whole account has too many failures
   * @throws DomainError `RATE_LIMITED`
   */
  async count(attempt: SignInAttempt, isKnownAddress: () => Promise<boolean>): Promise<void> {
    for (const { attempts, key } of this.#countedFor(attempt)) {
      try {
        await attempts.count(key)
      } catch (refusal) {
        const mayPass = attempts === this.#perAccount && refusal instanceof DomainError && (await isKnownAddress())
        if (!mayPass) throw refusal
      }
    }
  }

  /** The password was right. Takes this attempt back, and deletes earlier failures for the account from this address. */
  async succeeded(attempt: SignInAttempt): Promise<void> {
    for (const { attempts, key } of this.#countedFor(attempt)) {
      const isOwn = attempts === this.#perAccountAndAddress || attempts === this.#perDevice
      await (isOwn ? attempts.forget(key) : attempts.takeBack(key))
    }
  }

  /**
   * The owner has set a new password with a mailed link. Deletes the failures for the account, which were guesses of another password, so that
   * the sign-in that follows is not refused. Those of the address and the network for all accounts stay.
   */
  async forgetFailures(attempt: SignInAttempt): Promise<void> {
    const ofMany = [this.#perAddress, this.#perNetwork]
    for (const knownDevice of new Set([attempt.knownDevice, null]))
      for (const { attempts, key } of this.#countedFor({ ...attempt, knownDevice }))
        if (!ofMany.includes(attempts)) await attempts.forget(key)
  }

  /** The password could not be checked. Takes the attempt back. */
  async undecided(attempt: SignInAttempt): Promise<void> {
    for (const { attempts, key } of this.#countedFor(attempt)) await attempts.takeBack(key)
  }

  /** The limits that an attempt counts for, in the order in which they are counted. */
  #countedFor({ email, clientIp, knownDevice }: SignInAttempt): Counted[] {
    if (knownDevice !== null) return [{ attempts: this.#perDevice, key: hashOf(knownDevice) }]
    const account = hashOf(email.toLowerCase())
    const [address, network] = [addressKey(clientIp), networkKey(clientIp)]
    return [
      { attempts: this.#perAccountAndAddress, key: hashOf(`${account} ${address}`) },
      { attempts: this.#perAccountAndNetwork, key: hashOf(`${account} ${network}`) },
      { attempts: this.#perAddress, key: address },
      { attempts: this.#perNetwork, key: network },
      { attempts: this.#perAccount, key: account },
    ]
  }

  /** @throws DomainError `RATE_LIMITED` */
  async countSignUp(clientIp: string | null): Promise<void> {
    await this.#signUps.count(addressKey(clientIp))
  }
}

// The e-mail is hashed, because people sometimes type their password into that field. All keys then have the same length.
const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url')
