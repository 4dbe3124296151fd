import { MAX_OFFERS_PER_HOUR } from '@holdfast/kernel/listings'
import { type AttemptLimit, Attempts } from '@holdfast/service-kit/auth/attempts'
import { Injectable } from '@nestjs/common'
import { DataSource } from 'typeorm'

const OFFERS_PER_USER: AttemptLimit = { attempts: MAX_OFFERS_PER_HOUR, seconds: 3600 }

/** Limits the offers of each user to counterparties, because an offer appears in their accounts without their consent. */
@Injectable()
export class OfferLimit extends Attempts {
  constructor(dataSource: DataSource) {
    super(dataSource, 'offer', OFFERS_PER_USER)
  }
}
