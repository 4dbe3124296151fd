import { type AttemptLimit, Attempts } from '@holdfast/service-kit/auth/attempts'
import { Injectable } from '@nestjs/common'
import { DataSource } from 'typeorm'

/** More than a message a second for a minute is not typed by a person. */
export const MESSAGES_PER_USER: AttemptLimit = { attempts: 60, seconds: 60 }

/** The messages that each user posts, counted so that nobody can flood the other party. */
@Injectable()
export class PostingLimit extends Attempts {
  constructor(dataSource: DataSource) {
    super(dataSource, 'message', MESSAGES_PER_USER)
  }
}
