import { Module } from '@nestjs/common'
import { DevicesModule } from '../devices/devices.module.js'
import { SessionsModule } from '../sessions/sessions.module.js'
import { AuthenticatorKeys } from './authenticator-keys.js'
import { AuthenticatorSecrets } from './authenticator-secrets.js'
import { CodeLimits } from './code-limits.js'
import { Confirmations } from './confirmations.js'
import { FactorChanges } from './factor-changes.js'
import { FactorCodes } from './factor-codes.js'
import { FactorMails } from './factor-mails.js'
import { FactorsModule } from './factors.module.js'

const SHARED = [AuthenticatorSecrets, CodeLimits, Confirmations, FactorChanges, FactorCodes, FactorMails]

/** What the app's codes, the recovery codes and the passkeys share. */
@Module({
  imports: [FactorsModule, SessionsModule, DevicesModule],
  providers: [...SHARED, AuthenticatorKeys],
  exports: [...SHARED, FactorsModule],
})
export class FactorProofsModule {}
