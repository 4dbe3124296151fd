import { eventsModule } from '@holdfast/events/events.module'
import { databaseModule } from '@holdfast/service-kit/database/database'
import { type DynamicModule, Module } from '@nestjs/common'
import { TypeOrmModule } from '@nestjs/typeorm'
import { IDENTITY_CONFIG, type IdentityConfig } from './config.js'
import { CredentialsController } from './credentials/credentials.controller.js'
import { CredentialsService } from './credentials/credentials.service.js'
import { PasswordStrategy } from './credentials/password.strategy.js'
import { Passwords } from './credentials/passwords.js'
import { SignInService } from './credentials/sign-in.service.js'
import { SignInLimits } from './credentials/sign-in-limits.js'
import { SignUpService } from './credentials/sign-up.service.js'
import { plan } from './migrations/plan.js'
import { Session } from './sessions/session.entity.js'
import { SessionVerifier } from './sessions/session-verifier.js'
import { SessionsController } from './sessions/sessions.controller.js'
import { SessionsService } from './sessions/sessions.service.js'
import { CompletedTransactionsConsumer } from './users/completed-transactions.consumer.js'
import { CompletedTransactionsService } from './users/completed-transactions.service.js'
import { SearchLimit } from './users/search-limit.js'
import { User } from './users/user.entity.js'
import { UsersController } from './users/users.controller.js'
import { UsersService } from './users/users.service.js'

const entities = [User, Session]
const { schema, service, migrations } = plan

@Module({})
class AppModule {}

/** The whole service, as its configuration says. */
export function appModule(config: IdentityConfig): DynamicModule {
  const { DATABASE_URL: databaseUrl } = config
  return {
    module: AppModule,
    imports: [
      databaseModule({ url: databaseUrl, schema, entities, migrations }),
      TypeOrmModule.forFeature(entities),
      eventsModule({ service, schema, databaseUrl }),
    ],
    controllers: [CredentialsController, SessionsController, UsersController, CompletedTransactionsConsumer],
    providers: [
      { provide: IDENTITY_CONFIG, useValue: config },
      CompletedTransactionsService,
      CredentialsService,
      Passwords,
      PasswordStrategy,
      SearchLimit,
      SessionsService,
      SessionVerifier,
      SignInLimits,
      SignInService,
      SignUpService,
      UsersService,
    ],
  }
}
