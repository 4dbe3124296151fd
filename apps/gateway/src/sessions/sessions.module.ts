import { Module } from '@nestjs/common'
import { PassportModule } from '@nestjs/passport'
import { ForwardingModule } from '../forwarding/forwarding.module.js'
import { Door } from './door.js'
import { SessionStrategy } from './session.strategy.js'
import { Sessions } from './sessions.js'

/** Who makes a request, by the session cookie. */
@Module({
  imports: [PassportModule, ForwardingModule],
  providers: [Sessions, Door, SessionStrategy],
  exports: [Sessions, Door],
})
export class SessionsModule {}
