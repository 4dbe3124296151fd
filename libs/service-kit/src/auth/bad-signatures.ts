import { DomainError } from '@holdfast/kernel/errors'
import type { DataSource } from 'typeorm'
import { addressKey } from './address-key.js'
import { type AttemptLimit, Attempts } from './attempts.js'

/** Webhooks from one address with a wrong signature or none. A sender whose secret we have not set yet sends about as many. */
export const BAD_SIGNATURES_PER_ADDRESS: AttemptLimit = { attempts: 100, seconds: 15 * 60, remembersRefused: true }

/**
 * Limits how many webhooks without a valid signature an address may send. The service has the `ATTEMPTS_TABLE`. A signed webhook is never
 * refused here, whatever else came from its address.
 */
export class BadSignatures {
  readonly #perAddress: Attempts

  constructor(dataSource: DataSource) {
    this.#perAddress = new Attempts(dataSource, 'bad-signature', BAD_SIGNATURES_PER_ADDRESS)
  }

  /**
   * Handles a webhook.
   *
   * @param handle checks the signature before it does anything else, and throws `WEBHOOK_SIGNATURE_INVALID`
   * @throws DomainError `RATE_LIMITED` in place of `WEBHOOK_SIGNATURE_INVALID`, for an address that has sent too many such webhooks
   */
  async limit<T>(clientIp: string | null, handle: () => Promise<T>): Promise<T> {
    try {
      return await handle()
    } catch (error) {
      if (error instanceof DomainError && error.code === 'WEBHOOK_SIGNATURE_INVALID')
        await this.#perAddress.count(addressKey(clientIp))
      throw error
    }
  }
}
