import { Module } from '@nestjs/common'
import { TypeOrmModule } from '@nestjs/typeorm'
import { Session } from './session.entity.js'
import { SessionVerifier } from './session-verifier.js'
import { SessionsController } from './sessions.controller.js'
import { SessionsService } from './sessions.service.js'
import { SessionsCleanup } from './sessions-cleanup.js'

/** The sessions of users. */
@Module({
  imports: [TypeOrmModule.forFeature([Session])],
  controllers: [SessionsController],
  providers: [SessionsService, SessionVerifier, SessionsCleanup],
  exports: [SessionsService],
})
export class SessionsModule {}
