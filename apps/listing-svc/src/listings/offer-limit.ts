import { MAX_OFFERS_PER_HOUR } from '@holdfast/kernel/listings'
import { type AttemptLimit, Attempts } from '@holdfast/service-kit/auth/attempts'
import { Injectable } from '@nestjs/common'
import { DataSource } from 'typeorm'

const OFFERS_PER_USER: AttemptLimit = { attempts: MAX_OFFERS_PER_HOUR, seconds: 3600 }

/** The offers that each user makes to a chosen counterparty, who is not asked before the offer appears in their account. */
@Injectable()
export class OfferLimit extends Attempts {
  constructor(dataSource: DataSource) {
    super(dataSource, 'offer', OFFERS_PER_USER)
  }
}
