import { Injectable } from '@nestjs/common'

/** The current time. Services inject it, so that tests can replace it. */
@Injectable()
export class Clock {
  now(): Date {
    return new Date()
  }
}
