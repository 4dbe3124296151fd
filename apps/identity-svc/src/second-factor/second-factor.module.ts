import { Module } from '@nestjs/common'
import { CredentialsModule } from '../credentials/credentials.module.js'
import { PasskeysModule } from '../passkeys/passkeys.module.js'
import { AuthenticatorService } from './authenticator.service.js'
import { FactorProofsModule } from './factor-proofs.module.js'
import { IdentityConfirmationService } from './identity-confirmation.service.js'
import { RecoveryCodesService } from './recovery-codes.service.js'
import { SecondFactorController } from './second-factor.controller.js'
import { SecondStepService } from './second-step.service.js'

/** Authenticator apps and recovery codes, and the second step of a sign-in. */
@Module({
  imports: [CredentialsModule, FactorProofsModule, PasskeysModule],
  controllers: [SecondFactorController],
  providers: [AuthenticatorService, IdentityConfirmationService, RecoveryCodesService, SecondStepService],
})
export class SecondFactorModule {}
