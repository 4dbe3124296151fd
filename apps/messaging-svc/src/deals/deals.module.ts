import { Module } from '@nestjs/common'
import { TypeOrmModule } from '@nestjs/typeorm'
import { Deal } from './deal.entity.js'
import { DealsService } from './deals.service.js'

/** Which deals there are, and who their parties are. */
@Module({ imports: [TypeOrmModule.forFeature([Deal])], providers: [DealsService], exports: [DealsService] })
export class DealsModule {}
