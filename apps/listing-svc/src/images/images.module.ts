import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { Health } from '@holdfast/service-kit/lifecycle/health'
import type { ObjectStorage } from '@holdfast/storage/object-storage'
import { openStorage } from '@holdfast/storage/open-storage'
import { Inject, Module, type OnApplicationBootstrap } from '@nestjs/common'
import type { ListingConfig } from '../config.js'
import { ReadPoolModule } from '../read-pool.module.js'
import { ImagesController } from './images.controller.js'
import { ImagesService } from './images.service.js'
import { OBJECT_STORAGE } from './object-storage.token.js'
import { PictureUses } from './picture-uses.js'
import { PixelBudget } from './pixel-budget.js'
import { ScaledPictureIndex } from './scaled-picture-index.js'
import { ScaledPictures } from './scaled-pictures.js'

/** Pictures, in the storage that STORAGE_URL names. */
@Module({
  imports: [ReadPoolModule],
  controllers: [ImagesController],
  providers: [
    ImagesService,
    PictureUses,
    PixelBudget,
    ScaledPictureIndex,
    ScaledPictures,
    {
      provide: OBJECT_STORAGE,
      inject: [CONFIG],
      useFactory: ({ STORAGE_URL }: ListingConfig) => openStorage(STORAGE_URL),
    },
  ],
  exports: [ImagesService],
})
export class ImagesModule implements OnApplicationBootstrap {
  constructor(
    @Inject(OBJECT_STORAGE) private readonly storage: ObjectStorage,
    private readonly health: Health,
  ) {}

  /** The check is `named` and not `required`, because listings can be read and bought while pictures cannot be stored. */
  onApplicationBootstrap(): void {
    this.health.add({ name: 'storage', kind: 'named', run: () => this.storage.check() })
  }
}
