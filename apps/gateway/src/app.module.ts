import { Module } from '@nestjs/common'
import { DealsModule } from './deals/deals.module.js'
import { ForwardingModule } from './forwarding/forwarding.module.js'
import { ListingsModule } from './listings/listings.module.js'
import { LiveModule } from './live/live.module.js'
import { PeopleModule } from './people/people.module.js'
import { SessionsModule } from './sessions/sessions.module.js'

/** What the gateway does itself. `service.ts` adds the event log and the routes that it forwards. */
@Module({ imports: [ForwardingModule, SessionsModule, PeopleModule, DealsModule, ListingsModule, LiveModule] })
export class AppModule {}
