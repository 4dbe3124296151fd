import { PicturesModule } from '@holdfast/pictures/pictures.module'
import { Module } from '@nestjs/common'
import { ReadPoolModule } from '../read-pool.module.js'
import { ImagesController } from './images.controller.js'
import { ImagesService } from './images.service.js'
import { PictureUses } from './picture-uses.js'
import { ScaledPictureIndex } from './scaled-picture-index.js'
import { ScaledPictures } from './scaled-pictures.js'
import { ScalingBudget } from './scaling-budget.js'

/** Pictures of listings, as they are stored and scaled down. */
@Module({
  imports: [ReadPoolModule, PicturesModule],
  controllers: [ImagesController],
  providers: [ImagesService, PictureUses, ScaledPictureIndex, ScaledPictures, ScalingBudget],
})
export class ImagesModule {}
