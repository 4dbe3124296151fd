import { eventsModule } from '@holdfast/events/events.module'
import { mailModule } from '@holdfast/mail/mail.module'
import { databaseModule } from '@holdfast/service-kit/database/database.module'
import { timersModule } from '@holdfast/timers/timers.module'
import { Module } from '@nestjs/common'
import { AccountModule } from './account/account.module.js'
import { AdminUsersModule } from './admin/admin-users.module.js'
import { Block } from './blocks/block.entity.js'
import { BlocksModule } from './blocks/blocks.module.js'
import { CONNECTIONS } from './connections.js'
import { ContactsModule } from './contacts/contacts.module.js'
import { CredentialsModule } from './credentials/credentials.module.js'
import { KnownDevice } from './devices/known-device.entity.js'
import { EnquiriesModule } from './enquiries/enquiries.module.js'
import { plan } from './migrations/plan.js'
import { NotificationMailsModule } from './notification-mails/notification-mails.module.js'
import { OidcModule } from './oidc/oidc.module.js'
import { PasskeysModule } from './passkeys/passkeys.module.js'
import { PayoutAccountsModule } from './payout-accounts/payout-accounts.module.js'
import { PlansModule } from './plans/plans.module.js'
import { ProfileModule } from './profile/profile.module.js'
import { PushModule } from './push/push.module.js'
import { SecondFactorModule } from './second-factor/second-factor.module.js'
import { Session } from './sessions/session.entity.js'
import { SessionsModule } from './sessions/sessions.module.js'
import { SmsModule } from './sms/sms.module.js'
import { ConfirmedReaders } from './users/confirmed-readers.js'
import { User } from './users/user.entity.js'
import { UsersModule } from './users/users.module.js'
import { VerificationModule } from './verification/verification.module.js'

/** Accounts: users, their credentials, their sessions, and whom they blocked. */
@Module({
  imports: [
    databaseModule({ ...plan, connections: CONNECTIONS, entities: [User, Session, Block, KnownDevice] }),
    eventsModule(plan),
    timersModule(plan),
    mailModule(ConfirmedReaders),
    UsersModule,
    SessionsModule,
    CredentialsModule,
    OidcModule,
    SecondFactorModule,
    PasskeysModule,
    BlocksModule,
    ContactsModule,
    AdminUsersModule,
    EnquiriesModule,
    ProfileModule,
    PlansModule,
    VerificationModule,
    NotificationMailsModule,
    AccountModule,
    PayoutAccountsModule,
    PushModule,
    SmsModule,
  ],
})
export class AppModule {}
