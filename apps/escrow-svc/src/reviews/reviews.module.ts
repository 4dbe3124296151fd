import { Module } from '@nestjs/common'
import { DealsModule } from '../deals/deals.module.js'
import { ReviewsController } from './reviews.controller.js'
import { ReviewsService } from './reviews.service.js'

/** Reviews of the parties of completed deals. */
@Module({ imports: [DealsModule], controllers: [ReviewsController], providers: [ReviewsService] })
export class ReviewsModule {}
