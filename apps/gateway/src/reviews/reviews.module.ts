import { Module } from '@nestjs/common'
import { PeopleModule } from '../people/people.module.js'
import { ServicesModule } from '../services/services.module.js'
import { ReviewsController } from './reviews.controller.js'

/** The reviews of a user, with the names of their authors. */
@Module({ imports: [ServicesModule, PeopleModule], controllers: [ReviewsController] })
export class ReviewsModule {}
