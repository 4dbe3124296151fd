import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { FairQueue } from '@holdfast/service-kit/lifecycle/fair-queue'
import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common'
import { hash, verify } from '@node-rs/argon2'
import { PasswordJudge } from './password-judge.js'
import { type OwnData, weaknessOf } from './password-strength.js'

/** The argon2id parameters of the OWASP Password Storage Cheat Sheet: 19 MiB, two passes, one lane. */
const ARGON2 = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/** Hashes at the same time: half of the cores, so that many sign-ins do not slow down users who are signed in. */
export const MAX_CONCURRENT_HASHES = Math.max(1, Math.floor(availableParallelism() / 2))
/** Hashes that may wait. At about 30 ms each the last one waits two seconds; further requests are refused. */
export const MAX_WAITING_HASHES = 64
/** The most of these from one network, so that a network with many attempts does not take all of them. */
export const MAX_WAITING_HASHES_PER_NETWORK = 16

/** For whom a password is checked: a user with a known browser, or a network. The checks of each wait for one another. */
export type Turn = { readonly knownUser: string } | { readonly network: string }

/**
 * Judges passwords, hashes them and checks them, at most MAX_CONCURRENT_HASHES at a time. Networks take turns. Users who sign in with a
 * known browser have one further worker, which strangers cannot keep busy.
 */
@Injectable()
export class Passwords implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #strangers = new FairQueue({
    concurrency: MAX_CONCURRENT_HASHES,
    maxWaiting: MAX_WAITING_HASHES,
    maxWaitingPerOwner: MAX_WAITING_HASHES_PER_NETWORK,
  })
  readonly #known = new FairQueue({
    concurrency: 1,
    maxWaiting: MAX_WAITING_HASHES,
    maxWaitingPerOwner: MAX_WAITING_HASHES_PER_NETWORK,
  })
  readonly #judge = new PasswordJudge(MAX_CONCURRENT_HASHES)
  /** A hash that no password matches. Checking against it takes as long as against a user's. */
  readonly #unmatchable = hash(randomBytes(32), ARGON2)

  /**
   * What is wrong with a new password, as a message for its field; null when nothing is.
   *
   * @throws DomainError as `hash`
   */
  weaknessOf(password: string, own: OwnData, network: string): Promise<string | null> {
    return weaknessOf(password, own, judged => this.#strangers.run(network, () => this.#judge.scoreOf(judged)))
  }

  /** @throws DomainError `RATE_LIMITED` when too many of this network wait already; `UNAVAILABLE` when too many wait in all */
  hash(password: string, network: string): Promise<string> {
    return this.#strangers.run(network, () => hash(password, ARGON2))
  }

  /**
   * Whether the password matches the hash. Without a hash (no user has this e-mail) it takes the same time and is false.
   *
   * @throws DomainError `RATE_LIMITED` when too many of this turn wait already; `UNAVAILABLE` when too many wait in all
   */
  async matches(password: string, passwordHash: string | null, turn: Turn): Promise<boolean> {
    const against = passwordHash ?? (await this.#unmatchable)
    const check = () => verify(against, password)
    const matches = await ('knownUser' in turn
      ? this.#known.run(turn.knownUser, check)
      : this.#strangers.run(turn.network, check))
    return matches && passwordHash !== null
  }

  /** @throws Error when passwords cannot be judged: nobody could sign up, so the service does not start */
  async onApplicationBootstrap(): Promise<void> {
    await this.#judge.check()
  }

  async onApplicationShutdown(): Promise<void> {
    await this.#judge.close()
  }
}
