import { Module } from '@nestjs/common'
import { PassportModule } from '@nestjs/passport'
import { ServicesModule } from '../services/services.module.js'
import { SessionsModule } from '../sessions/sessions.module.js'
import { Ingress } from './ingress.js'
import { SessionStrategy } from './session.strategy.js'
import { UnreadConnections } from './unread-connections.js'

/** The checks that every request must pass before its handler runs. */
@Module({
  imports: [PassportModule, SessionsModule, ServicesModule],
  providers: [Ingress, SessionStrategy, UnreadConnections],
  exports: [Ingress],
})
export class IngressModule {}
