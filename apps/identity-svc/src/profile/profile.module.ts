import { Module } from '@nestjs/common'
import { CredentialsModule } from '../credentials/credentials.module.js'
import { SessionsModule } from '../sessions/sessions.module.js'
import { ProfileController } from './profile.controller.js'
import { ProfileService } from './profile.service.js'

/** What users change about themselves. */
@Module({ imports: [CredentialsModule, SessionsModule], controllers: [ProfileController], providers: [ProfileService] })
export class ProfileModule {}
