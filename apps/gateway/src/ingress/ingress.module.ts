import { Module } from '@nestjs/common'
import { PassportModule } from '@nestjs/passport'
import { SessionsModule } from '../sessions/sessions.module.js'
import { Ingress } from './ingress.js'
import { SessionStrategy } from './session.strategy.js'

/** What is checked of every request before its handler runs. */
@Module({ imports: [PassportModule, SessionsModule], providers: [Ingress, SessionStrategy], exports: [Ingress] })
export class IngressModule {}
