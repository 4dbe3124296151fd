import { Module } from '@nestjs/common'
import { PassportModule } from '@nestjs/passport'
import { SessionsModule } from '../sessions/sessions.module.js'
import { Ingress } from './ingress.js'
import { SessionStrategy } from './session.strategy.js'

/** The checks that every request must pass before its handler runs. */
@Module({ imports: [PassportModule, SessionsModule], providers: [Ingress, SessionStrategy], exports: [Ingress] })
export class IngressModule {}
