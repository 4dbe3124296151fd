import { type AttemptLimit, Attempts } from '@holdfast/service-kit/auth/attempts'
import { Injectable } from '@nestjs/common'
import { DataSource } from 'typeorm'

/** The search box sends a request after each pause in typing. A person does not pause twice a second for a minute. */
export const SEARCHES_PER_USER: AttemptLimit = { attempts: 120, seconds: 60 }

/** Limits the searches of each user, so that the list of users cannot be copied through the search. */
@Injectable()
export class SearchLimit extends Attempts {
  constructor(dataSource: DataSource) {
    super(dataSource, 'search', SEARCHES_PER_USER)
  }
}
