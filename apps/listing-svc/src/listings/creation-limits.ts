import { MAX_LISTINGS_PER_DAY, MAX_LISTINGS_PER_HOUR, MAX_OFFERS_PER_HOUR } from '@holdfast/kernel/listings'
import { type AttemptLimit, Attempts } from '@holdfast/service-kit/auth/attempts'
import { Injectable } from '@nestjs/common'
import { DataSource } from 'typeorm'

const LISTINGS_PER_HOUR: AttemptLimit = {
  attempts: MAX_LISTINGS_PER_HOUR,
  seconds: 3_600,
  refusal: `You have created ${MAX_LISTINGS_PER_HOUR} listings within an hour. Please wait before you create more.`,
}
const LISTINGS_PER_DAY: AttemptLimit = {
  attempts: MAX_LISTINGS_PER_DAY,
  seconds: 86_400,
  refusal: `You have created ${MAX_LISTINGS_PER_DAY} listings within a day. Please create more tomorrow.`,
}
const OFFERS_PER_HOUR: AttemptLimit = { attempts: MAX_OFFERS_PER_HOUR, seconds: 3_600 }

/** Limits the listings that each user creates. */
@Injectable()
export class CreationLimits {
  readonly #perHour: Attempts
  readonly #perDay: Attempts
  readonly #offers: Attempts

  constructor(dataSource: DataSource) {
    this.#perHour = new Attempts(dataSource, 'listing-hour', LISTINGS_PER_HOUR)
    this.#perDay = new Attempts(dataSource, 'listing-day', LISTINGS_PER_DAY)
    this.#offers = new Attempts(dataSource, 'offer', OFFERS_PER_HOUR)
  }

  /**
   * Counts a listing that is about to be created.
   *
   * @param isOffer whether it is for a counterparty. Those have a lower limit, because they appear in the account of the
   * counterparty without their consent
   * @throws DomainError `RATE_LIMITED`
   */
  async count(userId: string, { isOffer }: { readonly isOffer: boolean }): Promise<void> {
    if (isOffer) await this.#offers.count(userId)
    await this.#perHour.count(userId)
    await this.#perDay.count(userId)
  }
}
