import {
  DEVICE_HEADER,
  deviceCookieName,
  SESSION_HEADER,
  SIGN_IN_STEP_HEADER,
  sessionCookieName,
  signInStepCookieName,
} from '@holdfast/contracts/session-cookie'
import { MAX_LOOKUP, userInternalRoutes, type VerifiedSession } from '@holdfast/contracts/users'
import { DomainError } from '@holdfast/kernel/errors'
import type { UserActor } from '@holdfast/service-kit/auth/actor'
import { refusalOfRead } from '@holdfast/service-kit/http/refusal'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import { Inject, Injectable } from '@nestjs/common'
import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { GatewayConfig } from '../config.js'
import { BatchedLookup } from '../services/batched-lookup.js'
import { ServiceCalls } from '../services/service-calls.js'
import { findSessionHash, findToken } from './session-cookie.js'

/** How old the session check of a read may be. A write always checks again. */
export const READ_SESSION_AGE_MS = 2_000
/** The same while identity-svc gives no answer. A write is refused then. */
const OUTAGE_SESSION_AGE_MS = 60_000
const MAX_REMEMBERED_SESSIONS = 20_000
const MAX_PENDING_LOOKUPS = 10_000
/**
 * The longest wait for identity-svc. It answers from an index within milliseconds. During a restart on busy processors an answer took up to
 * 1.5 s, so three seconds mean an outage.
 */
export const VERIFY_TIMEOUT_MS = 3_000

const log = loggerOf('sessions')

/** Finds the user of a session by the hash of its token. */
@Injectable()
export class Sessions {
  private readonly lookup: BatchedLookup<UserActor>
  private readonly cookieName: string
  private readonly deviceCookie: string
  private readonly stepCookie: string

  constructor(
    @Inject(CONFIG) config: GatewayConfig,
    private readonly calls: ServiceCalls,
  ) {
    this.cookieName = sessionCookieName(config.PUBLIC_URL)
    this.deviceCookie = deviceCookieName(config.PUBLIC_URL)
    this.stepCookie = signInStepCookieName(config.PUBLIC_URL)
    this.lookup = new BatchedLookup({
      name: 'sessions',
      ask: hashes => this.verify(hashes),
      maxKeysPerBatch: MAX_LOOKUP,
      maxRemembered: MAX_REMEMBERED_SESSIONS,
      maxPending: MAX_PENDING_LOOKUPS,
    })
  }

  /** The hash of the session token in a request's cookie; null when there is none. */
  hashOf(request: FastifyRequest): string | null {
    return findSessionHash(request.headers.cookie, this.cookieName)
  }

  /** The browser's cookies as headers for identity-svc: the session that a sign-in replaces, the known browser, and a begun sign-in. */
  cookieHeadersOf(request: FastifyRequest): Record<string, string> {
    const session = this.hashOf(request)
    const device = findToken(request.headers.cookie, this.deviceCookie)
    const step = findToken(request.headers.cookie, this.stepCookie)
    return {
      ...(session && { [SESSION_HEADER]: session }),
      ...(device && { [DEVICE_HEADER]: device }),
      ...(step && { [SIGN_IN_STEP_HEADER]: step }),
    }
  }

  /**
   * The user of a session, for a write: identity-svc is always asked, so that a revoked session can change nothing any more.
   * Null when the session does not exist or has ended.
   *
   * @throws DomainError UNAVAILABLE when identity-svc does not answer or too many lookups are pending
   */
  find(hash: string): Promise<UserActor | null> {
    return this.lookup.find(hash)
  }

  /**
   * As `find`, for a read: the answer may be READ_SESSION_AGE_MS old, and OUTAGE_SESSION_AGE_MS while identity-svc does not
   * answer.
   */
  findForRead(hash: string): Promise<UserActor | null> {
    return this.lookup.find(hash, READ_SESSION_AGE_MS, OUTAGE_SESSION_AGE_MS)
  }

  /** Forgets a session. Call it when the session may have changed. */
  forget(hash: string): void {
    this.lookup.forget(hash)
  }

  /**
   * Forgets sessions that have ended, wherever they were ended: each replica of the gateway learns of it from an event. Without this
   * a replica would go on reading for an ended session for READ_SESSION_AGE_MS, and much longer in an outage of identity-svc.
   */
  forgetEnded(sessionIds: ReadonlySet<string>): void {
    this.lookup.forgetWhere(({ sessionId }) => sessionId !== undefined && sessionIds.has(sessionId))
  }

  private async verify(hashes: string[]): Promise<Map<string, UserActor>> {
    const { verifySessions } = userInternalRoutes
    const input = { body: { hashes } }
    const context = { timeoutMs: VERIFY_TIMEOUT_MS, isRead: true }
    const sessions = await this.calls.call('identity-svc', verifySessions, input, context).catch(refuse)
    return new Map(sessions.map(session => [session[0], userOf(session)]))
  }
}

/** Refuses the requests of a check that got no answer. None of them has begun, so their outcome is known. */
function refuse(error: unknown): never {
  if (refusalOfRead(error).code !== 'UNAVAILABLE') throw error
  log.warn({ err: error }, 'sessions could not be checked')
  throw new DomainError('UNAVAILABLE')
}

const userOf = ([, sessionId, id, role, plan, needsSecondFactor]: z.output<typeof VerifiedSession>): UserActor => ({
  kind: 'user',
  id,
  role,
  plan,
  sessionId,
  ...(needsSecondFactor && { needsSecondFactor }),
})
