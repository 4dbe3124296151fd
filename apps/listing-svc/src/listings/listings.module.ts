import { PicturesModule } from '@holdfast/pictures/pictures.module'
import { Module } from '@nestjs/common'
import { ReadPoolModule } from '../read-pool.module.js'
import { CreationLimits } from './creation-limits.js'
import { FacetsReader } from './facets.reader.js'
import { ListingsConsumer } from './listings.consumer.js'
import { ListingsController } from './listings.controller.js'
import { ListingsReader } from './listings.reader.js'
import { ListingsRepository } from './listings.repository.js'
import { ListingsService } from './listings.service.js'

/** Listings and the agreements that were signed with them. */
@Module({
  imports: [PicturesModule, ReadPoolModule],
  controllers: [ListingsController, ListingsConsumer],
  providers: [ListingsService, ListingsRepository, ListingsReader, FacetsReader, CreationLimits],
  exports: [ListingsRepository, ListingsReader, CreationLimits],
})
export class ListingsModule {}
