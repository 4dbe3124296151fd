import { createHash } from 'node:crypto'
import { DomainError } from '@holdfast/kernel/errors'
import { type AttemptLimit, Attempts } from '@holdfast/service-kit/auth/attempts'
import { Injectable } from '@nestjs/common'
import { DataSource } from 'typeorm'
import { addressKey } from './address-key.js'

const QUARTER_HOUR_SECONDS = 15 * 60

/** Wrong passwords for one account from one address. */
export const FAILURES_PER_ACCOUNT_AND_ADDRESS: AttemptLimit = { attempts: 10, seconds: QUARTER_HOUR_SECONDS }
/** Wrong passwords from one address for all accounts. */
export const FAILURES_PER_ADDRESS: AttemptLimit = { attempts: 100, seconds: QUARTER_HOUR_SECONDS }
/** Wrong passwords for one account from all addresses, against guessing from many addresses. */
export const FAILURES_PER_ACCOUNT: AttemptLimit = { attempts: 100, seconds: QUARTER_HOUR_SECONDS }
/** Sign-ups from one address, failed ones included. Many people can share an address, as on a campus. */
export const SIGN_UPS_PER_ADDRESS: AttemptLimit = { attempts: 300, seconds: 4 * QUARTER_HOUR_SECONDS }

/** An attempt to sign in. */
export interface SignInAttempt {
  readonly email: string
  readonly clientIp: string | null
}

/**
 * Slows down guessing. Nevertheless others cannot lock a user out: most failures count per address, and the limit of the
 * whole account does not apply to an address from which its owner has signed in before.
 */
@Injectable()
export class SignInLimits {
  readonly #perAccountAndAddress: Attempts
  readonly #perAddress: Attempts
  readonly #perAccount: Attempts
  readonly #signUps: Attempts

  constructor(dataSource: DataSource) {
    this.#perAccountAndAddress = new Attempts(dataSource, 'sign-in-pair', FAILURES_PER_ACCOUNT_AND_ADDRESS)
    this.#perAddress = new Attempts(dataSource, 'sign-in-address', FAILURES_PER_ADDRESS)
    this.#perAccount = new Attempts(dataSource, 'sign-in-account', FAILURES_PER_ACCOUNT)
    this.#signUps = new Attempts(dataSource, 'sign-up-address', SIGN_UPS_PER_ADDRESS)
  }

  /**
   * Counts an attempt as failed. `succeeded` takes it back.
   *
   * @param isKnownAddress called only when the whole account has too many failures
   * @throws DomainError `RATE_LIMITED`
   */
  async count(attempt: SignInAttempt, isKnownAddress: () => Promise<boolean>): Promise<void> {
    await this.#perAccountAndAddress.count(pairKey(attempt))
    await this.#perAddress.count(addressKey(attempt.clientIp))
    try {
      await this.#perAccount.count(accountKey(attempt))
    } catch (refusal) {
      if (!(refusal instanceof DomainError && (await isKnownAddress()))) throw refusal
    }
  }

  /** The password was right. Takes this attempt back, and deletes earlier failures for the account from this address. */
  async succeeded(attempt: SignInAttempt): Promise<void> {
    await this.#perAccountAndAddress.forget(pairKey(attempt))
    await this.#perAddress.takeBack(addressKey(attempt.clientIp))
    await this.#perAccount.takeBack(accountKey(attempt))
  }

  /** The password could not be checked. Takes the attempt back. */
  async undecided(attempt: SignInAttempt): Promise<void> {
    await this.#perAccountAndAddress.takeBack(pairKey(attempt))
    await this.#perAddress.takeBack(addressKey(attempt.clientIp))
    await this.#perAccount.takeBack(accountKey(attempt))
  }

  /** @throws DomainError `RATE_LIMITED` */
  async countSignUp(clientIp: string | null): Promise<void> {
    await this.#signUps.count(addressKey(clientIp))
  }
}

// The e-mail is hashed, because people sometimes type their password into that field. All keys then have the same length.
const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url')
const accountKey = ({ email }: SignInAttempt): string => hashOf(email.toLowerCase())
const pairKey = (attempt: SignInAttempt): string => hashOf(`${accountKey(attempt)} ${addressKey(attempt.clientIp)}`)
