import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { DomainError } from '@holdfast/kernel/errors'
import { Injectable } from '@nestjs/common'
import { hash, verify } from '@node-rs/argon2'
import pLimit from 'p-limit'

/** argon2id as the OWASP Password Storage Cheat Sheet asks for it: 19 MiB, two passes, one lane. */
export const ARGON2 = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/** Hashes at the same time: half of the cores, so that a flood of sign-ins leaves room for those who are signed in. */
export const MAX_CONCURRENT_HASHES = Math.max(1, Math.floor(availableParallelism() / 2))
/** Hashes that may wait. At about 30 ms each the last one waits two seconds; whoever comes then had better come again. */
export const MAX_WAITING_HASHES = 64

/** Hashes passwords and checks them, so many at a time. */
@Injectable()
export class Passwords {
  readonly #limit = pLimit(MAX_CONCURRENT_HASHES)
  /** A hash of a password that nobody has: checking against it takes as long as against any other. */
  readonly #nobodys = this.#inTurn(() => hash(randomBytes(32), ARGON2))

  /** @throws DomainError `UNAVAILABLE` when too many wait already */
  hash(password: string): Promise<string> {
    return this.#inTurn(() => hash(password, ARGON2))
  }

  /**
   * Whether the password belongs to the hash. Without a hash (nobody has this e-mail) it takes the same time and is false.
   *
   * @throws DomainError `UNAVAILABLE` when too many wait already
   */
  async matches(password: string, passwordHash: string | null): Promise<boolean> {
    const against = passwordHash ?? (await this.#nobodys)
    const matches = await this.#inTurn(() => verify(against, password))
    return matches && passwordHash !== null
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#limit.pendingCount >= MAX_WAITING_HASHES) throw new DomainError('UNAVAILABLE')
    return this.#limit(work)
  }
}
