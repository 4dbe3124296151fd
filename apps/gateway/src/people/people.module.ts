import { Module } from '@nestjs/common'
import { ForwardingModule } from '../forwarding/forwarding.module.js'
import { People } from './people.js'

/** People as identity-svc knows them. */
@Module({ imports: [ForwardingModule], providers: [People], exports: [People] })
export class PeopleModule {}
