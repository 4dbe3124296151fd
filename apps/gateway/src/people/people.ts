import { MAX_LOOKUP, type PartyUser, userInternalRoutes } from '@holdfast/contracts/users'
import { DomainError } from '@holdfast/kernel/errors'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import { Injectable } from '@nestjs/common'
import { ServiceCalls } from '../forwarding/service-calls.js'
import { FreshLookup } from '../sessions/fresh-lookup.js'

const log = loggerOf('people')

/** Names and ratings may be so old in the deals they stand in. */
export const PERSON_AGE_MS = 30_000
export const MAX_REMEMBERED_PEOPLE = 5_000
const MAX_WAITING_QUESTIONS = 10_000
const LOOKUP_TIMEOUT_MS = 3_000

/** People as identity-svc knows them. Questions that come in together share one call. */
@Injectable()
export class People {
  private readonly lookup: FreshLookup<PartyUser>

  constructor(private readonly calls: ServiceCalls) {
    this.lookup = new FreshLookup({
      ask: ids => this.ask(ids),
      maxKeysPerCall: MAX_LOOKUP,
      maxRemembered: MAX_REMEMBERED_PEOPLE,
      maxWaiting: MAX_WAITING_QUESTIONS,
    })
  }

  /**
   * A person by id, null when there is none.
   *
   * @param maxAgeMs how old the answer may be; 0 asks afresh
   * @throws ConnectionError when identity-svc cannot be asked: nobody's name is made up
   */
  find(id: string, maxAgeMs = PERSON_AGE_MS): Promise<PartyUser | null> {
    return this.lookup.find(id, maxAgeMs)
  }

  /**
   * A person who must exist, such as the party of a deal.
   *
   * @throws DomainError UNAVAILABLE when identity-svc does not know them: a deal with nobody in it is never shown
   */
  async get(id: string): Promise<PartyUser> {
    const person = await this.find(id)
    if (person) return person
    log.error({ userId: id }, 'a party of a deal is unknown to identity-svc')
    throw new DomainError('UNAVAILABLE')
  }

  /** Somebody has changed: what is remembered of them does not count any more. */
  forget(id: string): void {
    this.lookup.forget(id)
  }

  private async ask(ids: string[]): Promise<Map<string, PartyUser>> {
    const { lookUpUsers } = userInternalRoutes
    const context = { timeoutMs: LOOKUP_TIMEOUT_MS, isQuestion: true }
    const people = await this.calls.call('identity-svc', lookUpUsers, { body: { ids } }, context)
    return new Map(people.map(person => [person.id, person]))
  }
}
