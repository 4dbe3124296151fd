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
   * A person who must exist, such as the party of a deal.
   *
   * @throws DomainError UNAVAILABLE when identity-svc does not know them; otherwise as `find`
   */
  async get(id: string): Promise<PartyUser> {
    const person = await this.find(id)
    if (person) return person
    log.error({ userId: id }, 'a party of a deal is unknown to identity-svc')
    throw new DomainError('UNAVAILABLE')
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
