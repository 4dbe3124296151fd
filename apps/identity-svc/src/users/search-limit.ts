import { type AttemptLimit, Attempts } from '@holdfast/service-kit/auth/attempts'
import { Injectable } from '@nestjs/common'
import { DataSource } from 'typeorm'

/** A search box asks once for each pause in typing. Two pauses a second for a whole minute are not typing. */
export const SEARCHES_PER_USER: AttemptLimit = { attempts: 120, seconds: 60 }

/** The searches of each user, counted so that nobody can copy the list of users through the search. */
@Injectable()
export class SearchLimit extends Attempts {
  constructor(dataSource: DataSource) {
    super(dataSource, 'search', SEARCHES_PER_USER)
  }
}
