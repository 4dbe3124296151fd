import { Module } from '@nestjs/common'
import { CredentialsModule } from '../credentials/credentials.module.js'
import { FactorProofsModule } from '../second-factor/factor-proofs.module.js'
import { ProofOfPerson } from './proof-of-person.js'

/** The proof that the person at the browser is the user, before acts that change where money goes or whom others trust. */
@Module({
  imports: [CredentialsModule, FactorProofsModule],
  providers: [ProofOfPerson],
  exports: [ProofOfPerson, CredentialsModule, FactorProofsModule],
})
export class ProofModule {}
