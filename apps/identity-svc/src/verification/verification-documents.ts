import type { WrappedKey } from '@holdfast/encryption/key-ring'
import { assert } from '@holdfast/kernel/assert'
import { VERIFICATION_PICTURES, type VerificationPicture } from '@holdfast/kernel/users'
import { OBJECT_STORAGE } from '@holdfast/pictures/object-storage.token'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import type { ObjectStorage } from '@holdfast/storage/object-storage'
import { type SealedObject, SealedObjects, sealObject } from '@holdfast/storage/sealed-objects'
import { Inject, Injectable } from '@nestjs/common'
import type { IdentityConfig } from '../config.js'

/** The pictures of one submission, by field. */
export type PerPicture<T> = { readonly [P in VerificationPicture]: T }

/** Whose documents they are. It is a part of what is encrypted, so that documents of one user cannot be put in place of another's. */
export interface Owner {
  readonly userId: string
  readonly submissionId: string
}

/** The encrypted documents of a submission, which are not stored yet, and the data key that opens them. */
export interface SealedDocuments {
  readonly objects: PerPicture<SealedObject>
  readonly stored: WrappedKey
}

/** Encrypts the documents of a submission with a data key of its own, stores them, reads them and removes them. */
@Injectable()
export class VerificationDocuments {
  readonly #objects: SealedObjects

  constructor(
    @Inject(OBJECT_STORAGE) storage: ObjectStorage,
    @Inject(CONFIG) private readonly config: IdentityConfig,
  ) {
    this.#objects = new SealedObjects(storage)
  }

  seal(jpegs: ReadonlyMap<VerificationPicture, Buffer>, owner: Owner): SealedDocuments {
    const { key, stored } = this.config.ENCRYPTION_KEYS.newDataKey(contextOf(owner))
    const objects = perPicture(name => {
      const jpeg = jpegs.get(name)
      assert(jpeg, 'a submission has every document')
      return sealObject(jpeg, key, contextOf(owner, name))
    })
    return { objects, stored }
  }

  async put({ objects }: SealedDocuments): Promise<void> {
    await Promise.all(VERIFICATION_PICTURES.map(name => this.#objects.put(objects[name])))
  }

  /**
   * The documents as JPEGs.
   *
   * @throws CannotOpen, UnknownMasterKey
   */
  async read(keys: PerPicture<string>, stored: WrappedKey, owner: Owner): Promise<PerPicture<Buffer>> {
    const dataKey = this.config.ENCRYPTION_KEYS.unwrap(stored, contextOf(owner))
    const read = await Promise.all(
      VERIFICATION_PICTURES.map(name => this.#objects.get(keys[name], dataKey, contextOf(owner, name))),
    )
    return perPicture(name => {
      const jpeg = read[VERIFICATION_PICTURES.indexOf(name)]
      assert(jpeg, 'the documents of a submission that waits are stored')
      return jpeg
    })
  }

  /** Removes objects. Afterwards they are proven to be gone. */
  async remove(keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.#objects.remove(key)
  }
}

const contextOf = ({ userId, submissionId }: Owner, name?: VerificationPicture) =>
  `verification:${userId}:${submissionId}${name ? `:${name}` : ''}`

function perPicture<T>(make: (name: VerificationPicture) => T): PerPicture<T> {
  return Object.fromEntries(VERIFICATION_PICTURES.map(name => [name, make(name)])) as Record<VerificationPicture, T>
}
