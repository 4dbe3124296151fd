import type { DealParty } from '@holdfast/contracts/transactions'
import { MAX_LOOKUP, type PartyUser, userInternalRoutes } from '@holdfast/contracts/users'
import { DomainError } from '@holdfast/kernel/errors'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import { Injectable } from '@nestjs/common'
import { BatchedLookup } from '../services/batched-lookup.js'
import { ServiceCalls } from '../services/service-calls.js'

const log = loggerOf('people')

/** How old the names and ratings in a deal may be. */
export const PERSON_AGE_MS = 30_000
export const MAX_REMEMBERED_PEOPLE = 5_000
const MAX_PENDING_LOOKUPS = 10_000
const LOOKUP_TIMEOUT_MS = 3_000

/** What the other party sees of a user whose account was deleted. The deal and its money stay as they are. */
const FORMER_USER: Omit<DealParty, 'id'> = {
  firstName: 'Former user',
  lastName: '',
  username: 'former-user',
  isVerified: false,
  rating: null,
  profileImageUrl: null,
  email: null,
}

/** Looks up people at identity-svc. Lookups that are made together share one call. */
@Injectable()
export class People {
  private readonly lookup: BatchedLookup<PartyUser>

  constructor(private readonly calls: ServiceCalls) {
    this.lookup = new BatchedLookup({
      ask: ids => this.ask(ids),
      maxKeysPerBatch: MAX_LOOKUP,
      maxRemembered: MAX_REMEMBERED_PEOPLE,
      maxPending: MAX_PENDING_LOOKUPS,
    })
  }

  /**
   * A person by id; null when there is none.
   *
   * @param maxAgeMs how old the answer may be; 0 asks again
   * @throws ConnectionError when identity-svc does not answer; DomainError UNAVAILABLE when too many lookups are pending
   */
  find(id: string, maxAgeMs = PERSON_AGE_MS): Promise<PartyUser | null> {
    return this.lookup.find(id, maxAgeMs)
  }

  /**
   * The signed-in user.
   *
   * @throws DomainError UNAVAILABLE when identity-svc does not know them; otherwise as `find`
   */
  async get(id: string): Promise<PartyUser> {
    const person = await this.find(id)
    if (person) return person
    log.error({ userId: id }, 'a signed-in user is unknown to identity-svc')
    throw new DomainError('UNAVAILABLE')
  }

  /** A party of a deal. A party whose account was deleted is shown as a former user. Throws as `find`. */
  async party(id: string): Promise<DealParty> {
    return (await this.find(id)) ?? { ...FORMER_USER, id }
  }

  /** Forgets a person. Call it when they have changed. */
  forget(id: string): void {
    this.lookup.forget(id)
  }

  private async ask(ids: string[]): Promise<Map<string, PartyUser>> {
    const { lookUpUsers } = userInternalRoutes
    const context = { timeoutMs: LOOKUP_TIMEOUT_MS, isRead: true }
    const people = await this.calls.call('identity-svc', lookUpUsers, { body: { ids } }, context)
    return new Map(people.map(person => [person.id, person]))
  }
}
