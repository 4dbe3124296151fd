import type { DataKey } from '@holdfast/encryption/data-key'
import { assert } from '@holdfast/kernel/assert'
import { DomainError } from '@holdfast/kernel/errors'
import { OBJECT_STORAGE } from '@holdfast/pictures/object-storage.token'
import { type PictureSender, UploadedPictures } from '@holdfast/pictures/uploaded-pictures'
import type { Queryable } from '@holdfast/service-kit/database/queryable'
import type { ObjectStorage } from '@holdfast/storage/object-storage'
import { SealedObjects, sealObject } from '@holdfast/storage/sealed-objects'
import { Inject, Injectable } from '@nestjs/common'
import { DataSource } from 'typeorm'
import { DealKeys, type DealWithKey } from '../deals/deal-keys.js'

/** Which picture: `index` counts from 0 within the message of the deal `id`. */
export interface PictureAddress {
  readonly id: number
  readonly messageId: string
  readonly index: number
}

/** A picture as it is read. */
export interface ReadPicture {
  readonly jpeg: Buffer
  /** The hash of the stored, encrypted bytes. */
  readonly hash: string
}

interface PictureRow extends DealWithKey {
  readonly objectKey: string
}

const ADD = `
  INSERT INTO message_pictures (message_id, n, transaction_id, object_key)
  SELECT $1, ordinality - 1, $2, key FROM unnest($3::text[]) WITH ORDINALITY AS t (key, ordinality)`
const POST = 'UPDATE message_pictures SET is_posted = true WHERE message_id = $1 AND NOT is_posted'
/** `$4` is the user who must be a party; null for a mediator, whom the caller has checked. A hidden deal has no chat. */
const FIND = `
  SELECT p.object_key AS "objectKey", d.transaction_id::float8 AS "transactionId", d.key_id AS "keyId", d.wrapped_key AS "wrappedKey"
  FROM message_pictures p JOIN deals d USING (transaction_id)
  WHERE p.message_id = $1 AND p.n = $2 AND d.transaction_id = $3 AND p.is_posted
    AND ($4::uuid IS NULL OR (NOT d.hidden AND $4 IN (d.buyer_id, d.seller_id)))`

/** The pictures of messages: stored encrypted with the key of their deal, and read by those who may read the chat. */
@Injectable()
export class MessagePictures {
  readonly #objects: SealedObjects

  constructor(
    private readonly dataSource: DataSource,
    private readonly uploaded: UploadedPictures,
    private readonly keys: DealKeys,
    @Inject(OBJECT_STORAGE) storage: ObjectStorage,
  ) {
    this.#objects = new SealedObjects(storage)
  }

  /**
   * Makes a JPEG of each data URL and stores nothing.
   *
   * @throws DomainError `IMAGE_INVALID`, `IMAGE_TOO_LARGE`, naming the field: `images.2`; `RATE_LIMITED`; `UNAVAILABLE`
   */
  async decode(images: readonly string[], sender: PictureSender): Promise<readonly Buffer[]> {
    const jpegs = await this.uploaded.encodeList(images, sender)
    // The sender got no answer and may have sent the request again without a key: a second message must not appear.
    sender.left.throwIfAborted()
    return jpegs
  }

  /** Encrypts and stores the pictures of a message that is not posted yet. When it never is, `PictureRemovalJob` removes them. */
  async store(jpegs: readonly Buffer[], transactionId: number, messageId: string, dataKey: DataKey): Promise<void> {
    const objects = jpegs.map((jpeg, n) => sealObject(jpeg, dataKey, contextOf(transactionId, messageId, n)))
    await this.dataSource.query(ADD, [messageId, transactionId, objects.map(({ key }) => key)])
    await Promise.all(objects.map(object => this.#objects.put(object)))
  }

  /**
   * Makes the stored pictures readable, in the dbTx that posts their message.
   *
   * @throws DomainError `UNAVAILABLE` when storing took so long that they were removed meanwhile
   */
  async post(dbTx: Queryable, messageId: string, count: number): Promise<void> {
    const [, posted] = (await dbTx.query(POST, [messageId])) as [unknown, number]
    if (posted !== count) throw new DomainError('UNAVAILABLE')
  }

  /**
   * A picture, for a party of the deal; null for everybody else, as for one that does not exist.
   *
   * @param userId null when the caller has checked that the reader is the mediator
   * @throws CannotOpen, UnknownMasterKey
   */
  async find({ id, messageId, index }: PictureAddress, userId: string | null): Promise<ReadPicture | null> {
    const [row]: PictureRow[] = await this.dataSource.query(FIND, [messageId, index, id, userId])
    if (!row) return null
    const jpeg = await this.#objects.get(row.objectKey, this.keys.open(row), contextOf(id, messageId, index))
    assert(jpeg, 'a picture that was posted is stored')
    return { jpeg, hash: row.objectKey }
  }

  /** Removes an object. Afterwards it is proven to be gone. */
  remove(objectKey: string): Promise<void> {
    return this.#objects.remove(objectKey)
  }
}

/** What is encrypted belongs to one place in one message, so that a picture cannot be put in place of another. */
const contextOf = (transactionId: number, messageId: string, n: number) =>
  `message-picture:${transactionId}:${messageId}:${n}`
