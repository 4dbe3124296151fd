import { Module } from '@nestjs/common'
import { ServicesModule } from '../services/services.module.js'
import { People } from './people.js'

/** Lookups of users at identity-svc. */
@Module({ imports: [ServicesModule], providers: [People], exports: [People] })
export class PeopleModule {}
