import { Injectable } from '@nestjs/common'

/** Tells the time. Services take it as a dependency, so that tests can put another in its place. */
@Injectable()
export class Clock {
  now(): Date {
    return new Date()
  }
}
