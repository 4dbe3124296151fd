import { type AttemptLimit, Attempts } from '@holdfast/service-kit/auth/attempts'
import { Injectable } from '@nestjs/common'
import { DataSource } from 'typeorm'

/** A person does not type more than one message a second for a whole minute. */
export const MESSAGES_PER_USER: AttemptLimit = { attempts: 60, seconds: 60 }

/** Limits the messages of each user, so that a user cannot flood the other party. */
@Injectable()
export class PostingLimit extends Attempts {
  constructor(dataSource: DataSource) {
    super(dataSource, 'message', MESSAGES_PER_USER)
  }
}
