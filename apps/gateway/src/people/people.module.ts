import { Module } from '@nestjs/common'
import { ServicesModule } from '../services/services.module.js'
import { People } from './people.js'

/** People as identity-svc knows them. */
@Module({ imports: [ServicesModule], providers: [People], exports: [People] })
export class PeopleModule {}
