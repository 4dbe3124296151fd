import { Module } from '@nestjs/common'
import { TypeOrmModule } from '@nestjs/typeorm'
import { DevicesModule } from '../devices/devices.module.js'
import { FactorsModule } from '../second-factor/factors.module.js'
import { SessionsModule } from '../sessions/sessions.module.js'
import { User } from '../users/user.entity.js'
import { CredentialsController } from './credentials.controller.js'
import { CredentialsService } from './credentials.service.js'
import { EmailChangeService } from './email-change.service.js'
import { EmailConfirmationService } from './email-confirmation.service.js'
import { MailedLinksController } from './mailed-links.controller.js'
import { MailedTokens } from './mailed-tokens.js'
import { PasswordStrategy } from './password.strategy.js'
import { PasswordResetService } from './password-reset.service.js'
import { Passwords } from './passwords.js'
import { SignInService } from './sign-in.service.js'
import { SignInLimits } from './sign-in-limits.js'
import { SignUpService } from './sign-up.service.js'

/** Signing up and signing in with a password. */
@Module({
  imports: [TypeOrmModule.forFeature([User]), SessionsModule, DevicesModule, FactorsModule],
  controllers: [CredentialsController, MailedLinksController],
  providers: [
    CredentialsService,
    EmailChangeService,
    EmailConfirmationService,
    MailedTokens,
    PasswordResetService,
    Passwords,
    PasswordStrategy,
    SignInLimits,
    SignInService,
    SignUpService,
  ],
  exports: [
    CredentialsService,
    EmailChangeService,
    EmailConfirmationService,
    MailedTokens,
    PasswordResetService,
    Passwords,
    SignInLimits,
    SignInService,
    SignUpService,
  ],
})
export class CredentialsModule {}
