import { Health } from '@holdfast/service-kit/lifecycle/health'
import type { ObjectStorage } from '@holdfast/storage/object-storage'
import { openStorage } from '@holdfast/storage/open-storage'
import { type DynamicModule, Inject, Module, type OnApplicationBootstrap } from '@nestjs/common'
import { ImagesController } from './images.controller.js'
import { ImagesService } from './images.service.js'
import { OBJECT_STORAGE } from './object-storage.token.js'

/** Pictures, in the storage that STORAGE_URL names. */
export function imagesModule(storageUrl: string): DynamicModule {
  return {
    module: ImagesModule,
    controllers: [ImagesController],
    providers: [ImagesService, { provide: OBJECT_STORAGE, useFactory: () => openStorage(storageUrl) }],
    exports: [ImagesService],
  }
}

@Module({})
class ImagesModule implements OnApplicationBootstrap {
  constructor(
    @Inject(OBJECT_STORAGE) private readonly storage: ObjectStorage,
    private readonly health: Health,
  ) {}

  /** Named, not required: listings can be read and bought while no picture can be stored. */
  onApplicationBootstrap(): void {
    this.health.add({ name: 'storage', kind: 'named', run: () => this.storage.check() })
  }
}
