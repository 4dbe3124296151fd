import { DomainError } from '@holdfast/kernel/errors'
import { isAppCode } from '@holdfast/kernel/second-factors'
import { addressKey } from '@holdfast/service-kit/auth/address-key'
import { type AttemptLimit, Attempts } from '@holdfast/service-kit/auth/attempts'
import { hashOfToken } from '@holdfast/service-kit/auth/secret-token'
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import type { Browser } from '../credentials/browser.js'
import { KnownDevicesService } from '../devices/known-devices.service.js'
import { FactorMails } from './factor-mails.js'

const QUARTER_HOUR_SECONDS = 15 * 60
const REFUSAL = 'Too many wrong codes. Please use a passkey or a recovery code, or wait.'

/** Wrong codes of the app for one account from one address. */
export const WRONG_CODES_PER_ACCOUNT_AND_ADDRESS: AttemptLimit = {
  ...{ attempts: 5, seconds: QUARTER_HOUR_SECONDS, refusal: REFUSAL },
}
/**
 * Wrong codes of the app for one account from all addresses. Three of a million codes are valid at a time, so an attacker who knows the
 * password and uses this limit all day guesses one with a chance of 0.5 %. The owner gets a mail when the limit is first reached.
 */
export const WRONG_CODES_PER_ACCOUNT: AttemptLimit = { attempts: 15, seconds: QUARTER_HOUR_SECONDS, refusal: REFUSAL }
/** Wrong codes of the app with one browser with which the owner has signed in before. */
export const WRONG_CODES_PER_DEVICE: AttemptLimit = { attempts: 10, seconds: QUARTER_HOUR_SECONDS, refusal: REFUSAL }
/** Wrong recovery codes from one address. They are too long to be guessed: the limit spares the database. */
export const WRONG_RECOVERY_CODES_PER_ADDRESS: AttemptLimit = { attempts: 30, seconds: QUARTER_HOUR_SECONDS }
/** Mails that warn the owner of wrong codes. */
const WARNINGS: AttemptLimit = { attempts: 1, seconds: 24 * 60 * 60 }

/** An attempt to show a code. */
export interface CodeAttempt {
  readonly userId: string
  readonly code: string
  readonly browser: Browser
}

interface Counted {
  readonly attempts: Attempts
  readonly key: string
}

/**
 * Limits the guessing of codes, but lets no attacker who knows the password lock the owner out for long: a known browser has a limit of its
 * own, and the limit of the app's codes does not apply to passkeys and recovery codes.
 */
@Injectable()
export class CodeLimits {
  readonly #perPair: Attempts
  readonly #perAccount: Attempts
  readonly #perDevice: Attempts
  readonly #recovery: Attempts
  readonly #warnings: Attempts

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly devices: KnownDevicesService,
    private readonly mails: FactorMails,
  ) {
    this.#perPair = new Attempts(dataSource, 'code-pair', WRONG_CODES_PER_ACCOUNT_AND_ADDRESS)
    this.#perAccount = new Attempts(dataSource, 'code-account', WRONG_CODES_PER_ACCOUNT)
    this.#perDevice = new Attempts(dataSource, 'code-device', WRONG_CODES_PER_DEVICE)
    this.#recovery = new Attempts(dataSource, 'recovery-code-address', WRONG_RECOVERY_CODES_PER_ADDRESS)
    this.#warnings = new Attempts(dataSource, 'code-warning', WARNINGS)
  }

  /**
   * Runs `check` as one attempt. It is counted before its outcome is known, and taken back when the code was right.
   *
   * @throws DomainError `RATE_LIMITED`, with the seconds to wait; what `check` throws
   */
  async run<T>(attempt: CodeAttempt, check: () => Promise<T>): Promise<T> {
    const counted = await this.#countedFor(attempt)
    try {
      for (const { attempts, key } of counted) await attempts.count(key)
    } catch (refusal) {
      if (counted[0]?.attempts === this.#perPair) await this.#warn(attempt.userId)
      throw refusal
    }
    const result = await check()
    for (const { attempts, key } of counted) {
      await (attempts === this.#perAccount || attempts === this.#recovery
        ? attempts.takeBack(key)
        : attempts.forget(key))
    }
    return result
  }

  async #countedFor({ userId, code, browser }: CodeAttempt): Promise<Counted[]> {
    const { clientIp, deviceToken } = browser
    if (!isAppCode(code)) return [{ attempts: this.#recovery, key: addressKey(clientIp) }]
    if (deviceToken !== null && (await this.devices.isKnown(userId, deviceToken)))
      return [{ attempts: this.#perDevice, key: `${userId} ${hashOfToken(deviceToken).toString('base64url')}` }]
    return [
      { attempts: this.#perPair, key: `${userId} ${addressKey(clientIp)}` },
      { attempts: this.#perAccount, key: userId },
    ]
  }

  async #warn(userId: string): Promise<void> {
    try {
      await this.#warnings.count(userId)
    } catch (error) {
      if (error instanceof DomainError) return
      throw error
    }
    await this.mails.queue(this.dataSource.manager, userId, 'many_wrong_codes')
  }
}
