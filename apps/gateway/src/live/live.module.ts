import { Module } from '@nestjs/common'
import { PeopleModule } from '../people/people.module.js'
import { SessionsModule } from '../sessions/sessions.module.js'
import { LiveEvents } from './live-events.js'

/** What happens, sent to the browsers of those whom it concerns. */
@Module({ imports: [SessionsModule, PeopleModule], providers: [LiveEvents] })
export class LiveModule {}
