import { Module } from '@nestjs/common'
import { CredentialsModule } from '../credentials/credentials.module.js'
import { FactorProofsModule } from '../second-factor/factor-proofs.module.js'
import { PasskeyChallenges } from './passkey-challenges.js'
import { PasskeySignInService } from './passkey-sign-in.service.js'
import { PasskeyUse } from './passkey-use.js'
import { PasskeysController } from './passkeys.controller.js'
import { PasskeysService } from './passkeys.service.js'

/** Passkeys (Web Authentication): a way to sign in that counts as both factors. */
@Module({
  imports: [CredentialsModule, FactorProofsModule],
  controllers: [PasskeysController],
  providers: [PasskeyChallenges, PasskeySignInService, PasskeyUse, PasskeysService],
  exports: [PasskeyUse],
})
export class PasskeysModule {}
