import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { FairQueue } from '@holdfast/service-kit/lifecycle/fair-queue'
import { Injectable } from '@nestjs/common'
import { hash, verify } from '@node-rs/argon2'

/** The argon2id parameters of the OWASP Password Storage Cheat Sheet: 19 MiB, two passes, one lane. */
export const ARGON2 = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/** Hashes at the same time: half of the cores, so that many sign-ins do not slow down users who are signed in. */
export const MAX_CONCURRENT_HASHES = Math.max(1, Math.floor(availableParallelism() / 2))
/** Hashes that may wait. At about 30 ms each the last one waits two seconds; further requests are refused. */
export const MAX_WAITING_HASHES = 64

/** Hashes passwords and checks them, at most MAX_CONCURRENT_HASHES at a time. */
@Injectable()
export class Passwords {
  readonly #queue = new FairQueue({ concurrency: MAX_CONCURRENT_HASHES, maxWaiting: MAX_WAITING_HASHES })
  /** A hash that no password matches. Checking against it takes as long as against a user's. */
  readonly #unmatchable = this.#queue.run('', () => hash(randomBytes(32), ARGON2))

  /** @throws DomainError `UNAVAILABLE` when too many wait already */
  hash(password: string): Promise<string> {
    return this.#queue.run('', () => hash(password, ARGON2))
  }

  /**
   * Whether the password matches the hash. Without a hash (no user has this e-mail) it takes the same time and is false.
   *
   * @throws DomainError `UNAVAILABLE` when too many wait already
   */
  async matches(password: string, passwordHash: string | null): Promise<boolean> {
    const against = passwordHash ?? (await this.#unmatchable)
    const matches = await this.#queue.run('', () => verify(against, password))
    return matches && passwordHash !== null
  }
}
