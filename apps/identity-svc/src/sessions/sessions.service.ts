import { userSessionsEnded } from '@holdfast/contracts/events'
import { newEvent } from '@holdfast/events/outbox/event'
import { appendToOutbox } from '@holdfast/events/outbox/outbox'
import { assert } from '@holdfast/kernel/assert'
import { DomainError } from '@holdfast/kernel/errors'
import { newId } from '@holdfast/kernel/ids'
import type { UserActor } from '@holdfast/service-kit/auth/actor'
import { hashOfToken, newToken } from '@holdfast/service-kit/auth/secret-token'
import { fromNow } from '@holdfast/service-kit/database/database-time'
import { Clock } from '@holdfast/service-kit/lifecycle/clock'
import { Injectable } from '@nestjs/common'
import { InjectRepository } from '@nestjs/typeorm'
import { type EntityManager, IsNull, MoreThan, Repository } from 'typeorm'
import { placeOf } from './place.js'
import { Session } from './session.entity.js'
import { SESSION_SECONDS } from './session-cookie.js'

/** The most live sessions of one account. A further one ends the oldest. */
export const MAX_SESSIONS_PER_USER = 100
const MAX_USER_AGENT_LENGTH = 400

/** The address and browser that open a session. */
export interface Origin {
  readonly clientIp: string | null
  readonly userAgent: string | null
  /** The hash of the token that the browser held until now; null when it held none. */
  readonly replacedSession: Buffer | null
}

/** The live sessions of an account beyond the newest ones. */
const OLDEST = `
  id IN (SELECT id FROM sessions WHERE user_id = $2 AND revoked_at IS NULL AND expires_at > $1
    ORDER BY created_at DESC, id DESC OFFSET $3)`

/** Opens, lists and ends sessions. */
@Injectable()
export class SessionsService {
  constructor(
    @InjectRepository(Session) private readonly sessions: Repository<Session>,
    private readonly clock: Clock,
  ) {}

  /**
   * Opens a session in the dbTx of `manager` and returns its token. Only the token's hash is stored. The session that the browser
   * held until now ends, because the new token replaces the old one in the browser.
   *
   * @param hasSecondFactor whether the user has shown a second factor
   */
  async open(
    manager: EntityManager,
    userId: string,
    { clientIp, userAgent, replacedSession }: Origin,
    hasSecondFactor = false,
  ): Promise<string> {
    const token = newToken()
    const now = this.clock.now()
    await manager.insert(Session, {
      id: newId(now.getTime()),
      userId,
      tokenHash: hashOfToken(token),
      createdAt: now,
      expiresAt: new Date(now.getTime() + SESSION_SECONDS * 1000),
      confirmedAt: fromNow(0),
      secondFactorAt: hasSecondFactor ? fromNow(0) : null,
      clientIp,
      userAgent: userAgent?.slice(0, MAX_USER_AGENT_LENGTH) ?? null,
    })
    await this.#endWhere(manager, OLDEST, [userId, MAX_SESSIONS_PER_USER])
    if (replacedSession) await this.#endWhere(manager, 'token_hash = $2', [replacedSession])
    return token
  }

  /** The live sessions of the request's account, newest first. */
  async list(actor: UserActor) {
    const live = await this.listOf(actor.id)
    return live.map(session => ({
      ...session,
      place: placeOf(session.clientIp),
      current: session.id === actor.sessionId,
    }))
  }

  /** The live sessions of an account, newest first. */
  async listOf(userId: string) {
    const live = await this.sessions.find({
      where: { userId, revokedAt: IsNull(), expiresAt: MoreThan(this.clock.now()) },
      order: { createdAt: 'DESC', id: 'DESC' },
      take: MAX_SESSIONS_PER_USER,
    })
    return live.map(session => ({
      ...session,
      createdAt: session.createdAt.toISOString(),
      expiresAt: session.expiresAt.toISOString(),
    }))
  }

  /** Ends the session of the request; does nothing when it has ended. */
  async end(actor: UserActor): Promise<void> {
    const { manager } = this.sessions
    await manager.transaction(dbTx => this.#endWhere(dbTx, 'user_id = $2 AND id = $3', [actor.id, currentOf(actor)]))
  }

  /** Ends every session of the account except that of the request. */
  async endOthers(actor: UserActor): Promise<void> {
    const { manager } = this.sessions
    await manager.transaction(dbTx => this.endOthersIn(dbTx, actor))
  }

  /** The same in the dbTx of `manager`. */
  async endOthersIn(manager: EntityManager, actor: UserActor): Promise<void> {
    await this.#endWhere(manager, 'user_id = $2 AND id <> $3', [actor.id, currentOf(actor)])
  }

  /**
   * Ends one session of an account.
   *
   * @throws DomainError `NOT_FOUND` when it is none of the account's, or has ended
   */
  async endOne(userId: string, sessionId: string): Promise<void> {
    const { manager } = this.sessions
    const condition = 'user_id = $2 AND id = $3 AND expires_at > $1'
    const ended = await manager.transaction(dbTx => this.#endWhere(dbTx, condition, [userId, sessionId]))
    if (ended === 0) throw new DomainError('NOT_FOUND')
  }

  /** Ends every session of an account in the dbTx of `manager`. @returns their number */
  endAll(manager: EntityManager, userId: string): Promise<number> {
    return this.#endWhere(manager, 'user_id = $2 AND expires_at > $1', [userId])
  }

  /**
   * Ends sessions in the dbTx of `manager`, and publishes which ones, so that their event streams end.
   *
   * @param condition on the columns of the table; $1 is the present time, and the parameters begin with $2
   * @returns the number of sessions that it ended
   */
  async #endWhere(manager: EntityManager, condition: string, parameters: readonly unknown[]): Promise<number> {
    const now = this.clock.now()
    const end = `UPDATE sessions SET revoked_at = $1 WHERE revoked_at IS NULL AND ${condition} RETURNING id, user_id`
    const [ended]: [{ id: string; user_id: string }[], number] = await manager.query(end, [now, ...parameters])
    // The browser is signed out, and may be another person's soon.
    await manager.query('DELETE FROM push_subscription WHERE session_id = ANY($1)', [ended.map(({ id }) => id)])
    for (const userId of new Set(ended.map(({ user_id }) => user_id))) {
      const sessionIds = ended.filter(({ user_id }) => user_id === userId).map(({ id }) => id)
      await appendToOutbox(manager, newEvent(userSessionsEnded, userId, { sessionIds }, now))
    }
    return ended.length
  }

  /** Whether the account has been signed in to from this address before. */
  knowsAddress(userId: string, clientIp: string | null): Promise<boolean> {
    return clientIp === null ? Promise.resolve(false) : this.sessions.existsBy({ userId, clientIp })
  }
}

function currentOf({ sessionId }: UserActor): string {
  assert(sessionId, 'the gateway names the session of every signed-in actor')
  return sessionId
}
