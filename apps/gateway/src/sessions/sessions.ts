import { MAX_LOOKUP, userInternalRoutes, type VerifiedSession } from '@holdfast/contracts/users'
import type { UserActor } from '@holdfast/service-kit/auth/actor'
import { Injectable } from '@nestjs/common'
import type { z } from 'zod'
import { ServiceCalls } from '../forwarding/service-calls.js'
import { FreshLookup } from './fresh-lookup.js'

/** How old the answer may be on which a read relies. What changes something asks afresh. */
export const READ_SESSION_AGE_MS = 2_000
export const MAX_REMEMBERED_SESSIONS = 20_000
export const MAX_WAITING_QUESTIONS = 10_000
/** identity-svc answers from an index; one that needs longer is in trouble, and everybody waits for it. */
export const VERIFY_TIMEOUT_MS = 3_000

/** Who the session cookies belong to. Knows tokens by their hashes only. */
@Injectable()
export class Sessions {
  private readonly lookup: FreshLookup<UserActor>

  constructor(private readonly calls: ServiceCalls) {
    this.lookup = new FreshLookup({
      ask: hashes => this.verify(hashes),
      maxKeysPerCall: MAX_LOOKUP,
      maxRemembered: MAX_REMEMBERED_SESSIONS,
      maxWaiting: MAX_WAITING_QUESTIONS,
    })
  }

  /**
   * Who is signed in; null when the session is not, or no longer, there.
   *
   * @param maxAgeMs 0 for whatever changes something, so that a revoked session changes nothing from then on
   * @throws ConnectionError when identity-svc cannot be asked: it is unknown who this is
   */
  find(hash: string, maxAgeMs: number): Promise<UserActor | null> {
    return this.lookup.find(hash, maxAgeMs)
  }

  /** Something has happened to the session: nothing that is remembered of it counts any more. */
  forget(hash: string): void {
    this.lookup.forget(hash)
  }

  private async verify(hashes: string[]): Promise<Map<string, UserActor>> {
    const { verifySessions } = userInternalRoutes
    const input = { body: { hashes } }
    const context = { timeoutMs: VERIFY_TIMEOUT_MS, isQuestion: true }
    const sessions = await this.calls.call('identity-svc', verifySessions, input, context)
    return new Map(sessions.map(session => [session[0], userOf(session)]))
  }
}

const userOf = ([, sessionId, id, role, plan]: z.output<typeof VerifiedSession>): UserActor => ({
  kind: 'user',
  id,
  role,
  plan,
  sessionId,
})
