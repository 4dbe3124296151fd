import { eventsModule } from '@holdfast/events/events.module'
import { databaseModule } from '@holdfast/service-kit/database/database'
import { Module } from '@nestjs/common'
import { CredentialsModule } from './credentials/credentials.module.js'
import { plan } from './migrations/plan.js'
import { Session } from './sessions/session.entity.js'
import { SessionsModule } from './sessions/sessions.module.js'
import { User } from './users/user.entity.js'
import { UsersModule } from './users/users.module.js'

/** Accounts: who somebody is, and that they are who they say. */
@Module({
  imports: [
    databaseModule({ ...plan, entities: [User, Session] }),
    eventsModule(plan),
    UsersModule,
    SessionsModule,
    CredentialsModule,
  ],
})
export class AppModule {}
