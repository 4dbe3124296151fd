import type { DealParty } from '@holdfast/contracts/transactions'
import { MAX_LOOKUP, type PartyUser, userInternalRoutes } from '@holdfast/contracts/users'
import { CLOSED_USER_NAME } from '@holdfast/kernel/closed-username'
import { DomainError } from '@holdfast/kernel/errors'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import { Injectable } from '@nestjs/common'
import { BatchedLookup } from '../services/batched-lookup.js'
import { ServiceCalls } from '../services/service-calls.js'

const log = loggerOf('people')

/** How old the names and ratings in a deal may be. */
const PERSON_AGE_MS = 30_000
/** The same while identity-svc gives no answer. A deal can be read although the names may be old. */
const OUTAGE_PERSON_AGE_MS = 60_000
const MAX_REMEMBERED_PEOPLE = 5_000
const MAX_PENDING_LOOKUPS = 10_000
const LOOKUP_TIMEOUT_MS = 1_000

/** What the other party sees of a user whom identity-svc does not know. The deal and its money stay as they are. */
const CLOSED_USER: Omit<DealParty, 'id'> = {
  firstName: CLOSED_USER_NAME,
  lastName: '',
  username: 'closed-account',
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
      name: 'people',
      ask: ids => this.ask(ids),
      maxKeysPerBatch: MAX_LOOKUP,
      maxRemembered: MAX_REMEMBERED_PEOPLE,
      maxPending: MAX_PENDING_LOOKUPS,
    })
  }

  /**
   * A person by id, as they are now; null when there is none.
   *
   * @throws ConnectionError or DomainError UNAVAILABLE when identity-svc does not answer or too many lookups are pending
   */
  find(id: string): Promise<PartyUser | null> {
    return this.lookup.find(id)
  }

  /** Whether a user has confirmed their e-mail address, as it is now: who has just done so must not be refused. */
  async hasConfirmed(id: string): Promise<boolean> {
    return (await this.find(id))?.emailConfirmed ?? false
  }

  /**
   * The signed-in user. They may be PERSON_AGE_MS old, and OUTAGE_PERSON_AGE_MS while identity-svc does not answer.
   *
   * @throws DomainError UNAVAILABLE when identity-svc does not know them; otherwise as `find`
   */
  async get(id: string): Promise<PartyUser> {
    const person = await this.findRecent(id)
    if (person) return person
    log.error({ userId: id }, 'a signed-in user is unknown to identity-svc')
    throw new DomainError('UNAVAILABLE')
  }

  /** A party of a deal, otherwise as `get`. A party whom identity-svc does not know is shown as a closed account. */
  async party(id: string): Promise<DealParty> {
    return (await this.findRecent(id)) ?? { ...CLOSED_USER, id }
  }

  /**
   * Refuses a user's offer to a person who has blocked them. The refusal does not say why.
   *
   * @throws DomainError COUNTERPARTY_UNAVAILABLE; ConnectionError when identity-svc does not answer
   */
  async refuseBlocked(userId: string, counterpartyId: string): Promise<void> {
    const { checkBlocked } = userInternalRoutes
    const context = { timeoutMs: LOOKUP_TIMEOUT_MS, isRead: true }
    const input = { body: { blockerId: counterpartyId, userId } }
    const { isBlocked } = await this.calls.call('identity-svc', checkBlocked, input, context)
    if (isBlocked) throw new DomainError('COUNTERPARTY_UNAVAILABLE')
  }

  /** Whether a mail of this user may go to an address: its owner may have blocked them. @throws ConnectionError when identity-svc does not answer */
  async mayMail(userId: string, email: string): Promise<boolean> {
    const { checkMailboxBlocked } = userInternalRoutes
    const context = { timeoutMs: LOOKUP_TIMEOUT_MS, isRead: true }
    const { isBlocked } = await this.calls.call(
      'identity-svc',
      checkMailboxBlocked,
      { body: { email, userId } },
      context,
    )
    return !isBlocked
  }

  /** Forgets a person. Call it when they have changed. */
  forget(id: string): void {
    this.lookup.forget(id)
  }

  private findRecent(id: string): Promise<PartyUser | null> {
    return this.lookup.find(id, PERSON_AGE_MS, OUTAGE_PERSON_AGE_MS)
  }

  private async ask(ids: string[]): Promise<Map<string, PartyUser>> {
    const { lookUpUsers } = userInternalRoutes
    const context = { timeoutMs: LOOKUP_TIMEOUT_MS, isRead: true }
    const people = await this.calls.call('identity-svc', lookUpUsers, { body: { ids } }, context)
    return new Map(people.map(person => [person.id, person]))
  }
}
