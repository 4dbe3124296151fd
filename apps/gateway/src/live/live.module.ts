import { Module } from '@nestjs/common'
import { PeopleModule } from '../people/people.module.js'
import { SessionsModule } from '../sessions/sessions.module.js'
import { LiveEvents } from './live-events.js'

/** Live events: sends changes of a deal to the browsers of its parties. */
@Module({ imports: [SessionsModule, PeopleModule], providers: [LiveEvents] })
export class LiveModule {}
