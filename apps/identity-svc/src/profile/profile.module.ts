import { Module } from '@nestjs/common'
import { ProofModule } from '../account/proof.module.js'
import { SessionsModule } from '../sessions/sessions.module.js'
import { ProfileController } from './profile.controller.js'
import { ProfileService } from './profile.service.js'

/** What users change about themselves. */
@Module({ imports: [ProofModule, SessionsModule], controllers: [ProfileController], providers: [ProfileService] })
export class ProfileModule {}
