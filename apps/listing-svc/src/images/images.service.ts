import type { ImageWidth } from '@holdfast/kernel/images'
import { OBJECT_STORAGE } from '@holdfast/pictures/object-storage.token'
import type { SentPicture } from '@holdfast/pictures/send-picture'
import type { ObjectStorage } from '@holdfast/storage/object-storage'
import { Inject, Injectable } from '@nestjs/common'
import { visibilityFor } from './domain/visibility.js'
import { PictureUses } from './picture-uses.js'
import { ScaledPictures } from './scaled-pictures.js'

/** The user or visitor who requests a picture. */
interface PictureViewer {
  /** Null for a visitor. */
  readonly userId: string | null
  /** The key of the client's address (`addressKey`). */
  readonly address: string
}

/**
 * Reads pictures of listings. They stay when a listing changes, because the terms of a deal can name pictures that its listing no
 * longer has. Those of a closed account that no deal has are removed (`accounts/`).
 */
@Injectable()
export class ImagesService {
  constructor(
    @Inject(OBJECT_STORAGE) private readonly storage: ObjectStorage,
    private readonly uses: PictureUses,
    private readonly scaled: ScaledPictures,
  ) {}

  /**
   * A picture by the hash of its content, for a viewer who may see it (`visibilityFor`). It is null for one who may not, as
   * for an unknown hash.
   *
   * @param viewerId the user; null for a visitor
   */
  async find(hash: string, viewerId: string | null): Promise<SentPicture | null> {
    const visibility = visibilityFor(await this.uses.find(hash), viewerId)
    const object = visibility && (await this.storage.get(hash))
    return object && { hash, object, caching: visibility }
  }

  /**
   * A picture scaled down to a width, for viewers who may see the picture. For others it is null, and nothing is made. While the
   * scaled picture cannot be made (`ScaledPictures.find`), it is the stored one.
   */
  async findScaled(source: string, width: ImageWidth, { userId, address }: PictureViewer): Promise<SentPicture | null> {
    const visibility = visibilityFor(await this.uses.find(source), userId)
    if (!visibility) return null
    const scaled = await this.scaled.find({ source, width }, userId ?? address)
    if (scaled) return { ...scaled, caching: visibility }
    const object = await this.storage.get(source)
    // The address will have other bytes when the scaled picture is made, so no browser may keep these.
    return object && { hash: source, object, caching: 'private' }
  }
}
