import { Module } from '@nestjs/common'
import { ServicesModule } from '../services/services.module.js'
import { Sessions } from './sessions.js'

/** Sessions, by their cookies. */
@Module({ imports: [ServicesModule], providers: [Sessions], exports: [Sessions] })
export class SessionsModule {}
