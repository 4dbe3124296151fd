import { createHash } from 'node:crypto'
import { type Readable, Transform, type TransformCallback } from 'node:stream'
import { DomainError } from '@holdfast/kernel/errors'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'

const log = loggerOf('storage')

/** The bytes of an object are not those that were stored under its key. */
export class ObjectDamaged extends Error {
  override readonly name = 'ObjectDamaged'
}

/**
 * The bytes of a source, which ends only when they are complete and their SHA-256 is `key`. Otherwise it fails: with
 * `ObjectDamaged`, or with DomainError `UNAVAILABLE` when the source fails. The last bytes are held back until the hash is known: a reader
 * who was told the length, such as a browser, would take the object for complete otherwise.
 */
export class VerifiedObject extends Transform {
  readonly #hash = createHash('sha256')
  #held: Buffer | undefined

  constructor(
    private readonly source: Readable,
    private readonly key: string,
  ) {
    super()
    source.on('error', error => this.#breakOff(error))
    // An error that comes before the reader listens must not end the process. The reader gets it when it begins to read.
    this.on('error', () => {})
    source.pipe(this)
  }

  override _transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback): void {
    this.#hash.update(chunk)
    const ready = this.#held
    this.#held = chunk
    done(null, ready)
  }

  override _flush(done: TransformCallback): void {
    if (this.#hash.digest('hex') === this.key) {
      done(null, this.#held)
    } else {
      log.error({ key: this.key }, 'an object of the storage is damaged')
      done(new ObjectDamaged(`the object ${this.key} is damaged`))
    }
  }

  /** Ends the source, too, so that a reader who leaves frees its connection. */
  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.source.destroy()
    done(error)
  }

  #breakOff(error: Error): void {
    if (this.destroyed) return
    log.warn({ err: error, key: this.key }, 'the object storage broke off an object')
    this.destroy(new DomainError('UNAVAILABLE'))
  }
}
