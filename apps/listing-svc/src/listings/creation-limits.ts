import { DomainError } from '@holdfast/kernel/errors'
import {
  MAX_LISTINGS_PER_DAY,
  MAX_LISTINGS_PER_HOUR,
  MAX_OFFERS_PER_HOUR,
  MAX_UNCONFIRMED_OFFERS_PER_DAY,
} from '@holdfast/kernel/listings'
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
const UNCONFIRMED_OFFERS_PER_DAY: AttemptLimit = { attempts: MAX_UNCONFIRMED_OFFERS_PER_DAY, seconds: 86_400 }

// Whether one of two users has sold something to the other.
const HAVE_TRADED = `SELECT FROM listing WHERE (seller_id = $1 AND sold_to = $2) OR (seller_id = $2 AND sold_to = $1) LIMIT 1`

/** A listing that is about to be created. */
interface Creation {
  /** The counterparty; null for a listing that is for everybody. */
  readonly offeredTo: string | null
  /** Whether the maker has confirmed their e-mail address. */
  readonly isConfirmed: boolean
}

/** Limits the listings that each user creates, and the persons to whom they offer them. */
@Injectable()
export class CreationLimits {
  readonly #perHour: Attempts
  readonly #perDay: Attempts
  readonly #offers: Attempts
  readonly #unconfirmedOffers: Attempts

  constructor(private readonly dataSource: DataSource) {
    this.#perHour = new Attempts(dataSource, 'listing-hour', LISTINGS_PER_HOUR)
    this.#perDay = new Attempts(dataSource, 'listing-day', LISTINGS_PER_DAY)
    this.#offers = new Attempts(dataSource, 'offer', OFFERS_PER_HOUR)
    this.#unconfirmedOffers = new Attempts(dataSource, 'offer-unconfirmed', UNCONFIRMED_OFFERS_PER_DAY)
  }

  /**
   * Counts a listing that is about to be created. Those for counterparties have a lower limit, because they appear in the account of
   * the counterparty without their consent. The lowest is for strangers while the maker's e-mail address is not confirmed.
   *
   * @throws DomainError `RATE_LIMITED`, `EMAIL_NOT_CONFIRMED`
   */
  async count(userId: string, { offeredTo, isConfirmed }: Creation = FOR_EVERYBODY): Promise<void> {
    if (offeredTo !== null) {
      await this.#offers.count(userId)
      if (!isConfirmed && !(await this.#haveTraded(userId, offeredTo))) await this.#countUnconfirmed(userId)
    }
    await this.#perHour.count(userId)
    await this.#perDay.count(userId)
  }

  /**
   * Counts an invitation that is about to be mailed. It is an offer, too. Whether its receiver is a stranger is not looked up: the
   * answer would tell who has an account with an address.
   *
   * @throws DomainError `EMAIL_NOT_CONFIRMED`
   */
  async countMailed(userId: string, isConfirmed: boolean): Promise<void> {
    if (!isConfirmed) await this.#countUnconfirmed(userId)
  }

  async #countUnconfirmed(userId: string): Promise<void> {
    try {
      await this.#unconfirmedOffers.count(userId)
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
      // Not RATE_LIMITED: the user need not wait, because confirming the address ends the limit at once.
      throw new DomainError(
        'EMAIL_NOT_CONFIRMED',
        error.details,
        `Until you confirm your e-mail address, you can make ${MAX_UNCONFIRMED_OFFERS_PER_DAY} offers a day to people with whom you have not traded yet. Mailed invitations are offers, too.`,
      )
    }
  }

  async #haveTraded(userId: string, otherId: string): Promise<boolean> {
    return (await this.dataSource.query(HAVE_TRADED, [userId, otherId])).length > 0
  }
}

const FOR_EVERYBODY: Creation = { offeredTo: null, isConfirmed: true }
