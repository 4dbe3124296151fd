import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { Health } from '@holdfast/service-kit/lifecycle/health'
import type { ObjectStorage } from '@holdfast/storage/object-storage'
import { openStorage } from '@holdfast/storage/open-storage'
import { Inject, Module, type OnApplicationBootstrap } from '@nestjs/common'
import { OBJECT_STORAGE } from './object-storage.token.js'
import { UploadedPictures } from './uploaded-pictures.js'

/**
 * Provides `UploadedPictures`, and the storage that the service's STORAGE_URL names. The service installs the upload gate, and its
 * schema has the `ATTEMPTS_TABLE`.
 */
@Module({
  providers: [
    UploadedPictures,
    {
      provide: OBJECT_STORAGE,
      inject: [CONFIG],
      useFactory: openStorage,
    },
  ],
  exports: [OBJECT_STORAGE, UploadedPictures],
})
export class PicturesModule implements OnApplicationBootstrap {
  constructor(
    @Inject(OBJECT_STORAGE) private readonly storage: ObjectStorage,
    @Inject(Health) private readonly health: Health,
  ) {}

  /** The check is `named` and not `required`: everything else of the service works while pictures cannot be stored. */
  onApplicationBootstrap(): void {
    this.health.add({ name: 'storage', kind: 'named', run: () => this.storage.check() })
  }
}
