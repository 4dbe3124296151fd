import type { EncryptionConfig } from '@holdfast/encryption/encryption-config'
import type { WrappedKey } from '@holdfast/encryption/key-ring'
import { rewrapSome, type StoredKeys } from '@holdfast/encryption/rewrap'
import { OBJECT_STORAGE } from '@holdfast/pictures/object-storage.token'
import { privateJpeg, type SentPicture } from '@holdfast/pictures/send-picture'
import { type PictureSender, UploadedPictures } from '@holdfast/pictures/uploaded-pictures'
import type { Queryable } from '@holdfast/service-kit/database/queryable'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { type ObjectStorage, objectKey } from '@holdfast/storage/object-storage'
import { SealedObjects, sealObject } from '@holdfast/storage/sealed-objects'
import { Inject, Injectable } from '@nestjs/common'

/** The pictures of an entry, which are stored and encrypted. */
export interface StoredPictures {
  /** The hash of each JPEG: what the entry names. */
  readonly hashes: readonly string[]
  /** Where the encrypted bytes of each are stored. */
  readonly objectKeys: readonly string[]
  readonly dataKey: WrappedKey
}

/** A picture as the tables have it. `sealed` is null for one that an earlier release stored as it is. */
export interface PictureRow {
  readonly disputeId: number
  readonly hash: string
  readonly sealed: { readonly objectKey: string; readonly dataKey: WrappedKey } | null
}

/**
 * The pictures of the evidence. Those of an entry are encrypted with a data key of their own. What was stored for an entry that was then
 * not added cannot be decrypted, because its data key is not stored.
 */
@Injectable()
export class EvidencePictures {
  readonly #objects: SealedObjects

  constructor(
    private readonly uploaded: UploadedPictures,
    @Inject(OBJECT_STORAGE) private readonly storage: ObjectStorage,
    @Inject(CONFIG) private readonly config: EncryptionConfig,
  ) {
    this.#objects = new SealedObjects(storage)
  }

  /**
   * Stores data URLs as encrypted JPEGs.
   *
   * @throws DomainError IMAGE_INVALID or IMAGE_TOO_LARGE, naming the field: `images.2`; RATE_LIMITED; UNAVAILABLE
   */
  async store(disputeId: number, images: readonly string[], sender: PictureSender): Promise<StoredPictures> {
    const jpegs = await this.uploaded.encodeList(images, sender)
    const { key, stored } = this.config.ENCRYPTION_KEYS.newDataKey(contextOf(disputeId))
    const sealed = jpegs.map(jpeg => {
      const hash = objectKey(jpeg)
      return { hash, object: sealObject(jpeg, key, contextOf(disputeId, hash)) }
    })
    await Promise.all(sealed.map(({ object }) => this.#objects.put(object)))
    return {
      hashes: sealed.map(({ hash }) => hash),
      objectKeys: sealed.map(({ object }) => object.key),
      dataKey: stored,
    }
  }

  /**
   * Reads a picture; null when it is not stored.
   *
   * @throws CannotOpen, UnknownMasterKey
   */
  async read({ disputeId, hash, sealed }: PictureRow): Promise<SentPicture | null> {
    if (!sealed) {
      const object = await this.storage.get(hash)
      return object && { hash, object, caching: 'private' }
    }
    const dataKey = this.config.ENCRYPTION_KEYS.unwrap(sealed.dataKey, contextOf(disputeId))
    const jpeg = await this.#objects.get(sealed.objectKey, dataKey, contextOf(disputeId, hash))
    return jpeg && privateJpeg(jpeg, hash)
  }

  /**
   * Wraps at most `limit` data keys again, which are not wrapped with the current master key.
   *
   * @returns how many there were @throws CannotOpen, UnknownMasterKey
   */
  rewrapSome(dbTx: Queryable, limit: number): Promise<number> {
    return rewrapSome(dbTx, this.config.ENCRYPTION_KEYS, STORED_KEYS, limit)
  }
}

/** What is encrypted belongs to one picture of one dispute, so that it cannot be put in place of another. */
const contextOf = (disputeId: number, hash?: string) => `evidence:${disputeId}${hash ? `:${hash}` : ''}`

const STORED_KEYS: StoredKeys = {
  // Two conditions, because an index serves them and does not serve `<>`.
  find: `SELECT dispute_id || ':' || n AS id, key_id AS "keyId", wrapped_key AS wrapped FROM evidence_pictures
    WHERE key_id < $1 OR key_id > $1 LIMIT $2 FOR UPDATE SKIP LOCKED`,
  replace: `UPDATE evidence_pictures SET key_id = $2, wrapped_key = $3
    WHERE dispute_id = split_part($1, ':', 1)::bigint AND n = split_part($1, ':', 2)::int`,
  contextOf: id => contextOf(Number(id.split(':')[0])),
}
