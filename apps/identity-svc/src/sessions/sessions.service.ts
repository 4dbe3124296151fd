import { assert } from '@holdfast/kernel/assert'
import { newId } from '@holdfast/kernel/ids'
import type { UserActor } from '@holdfast/service-kit/auth/actor'
import { Clock } from '@holdfast/service-kit/lifecycle/clock'
import { Injectable } from '@nestjs/common'
import { InjectRepository } from '@nestjs/typeorm'
import { type EntityManager, type FindOptionsWhere, IsNull, MoreThan, Not, Repository } from 'typeorm'
import { Session } from './session.entity.js'
import { SESSION_SECONDS } from './session-cookie.js'
import { hashOfToken, newSessionToken } from './session-token.js'

/** The most live sessions of one account. A further one ends the oldest. */
export const MAX_SESSIONS_PER_USER = 100
/** Ended sessions are kept this long for inquiries, and deleted at a later sign-in of the account. */
export const ENDED_SESSION_KEPT_DAYS = 90
const MAX_USER_AGENT_LENGTH = 400

/** The address and browser that open a session. */
export interface Origin {
  readonly clientIp: string | null
  readonly userAgent: string | null
}

const END_OLDEST = `
  UPDATE sessions SET revoked_at = $3 WHERE id IN (
    SELECT id FROM sessions WHERE user_id = $1 AND revoked_at IS NULL AND expires_at > $3
    ORDER BY created_at DESC, id DESC OFFSET $2)`
const FORGET_ENDED = `
  DELETE FROM sessions WHERE user_id = $1 AND least(expires_at, revoked_at) < $2::timestamptz - make_interval(days => $3)`

/** Opens, lists and ends sessions. */
@Injectable()
export class SessionsService {
  constructor(
    @InjectRepository(Session) private readonly sessions: Repository<Session>,
    private readonly clock: Clock,
  ) {}

  /** Opens a session in the dbTx of `manager` and returns its token. Only the token's hash is stored. */
  async open(manager: EntityManager, userId: string, { clientIp, userAgent }: Origin): Promise<string> {
    const token = newSessionToken()
    const now = this.clock.now()
    await manager.query(FORGET_ENDED, [userId, now, ENDED_SESSION_KEPT_DAYS])
    await manager.insert(Session, {
      id: newId(now.getTime()),
      userId,
      tokenHash: hashOfToken(token),
      createdAt: now,
      expiresAt: new Date(now.getTime() + SESSION_SECONDS * 1000),
      clientIp,
      userAgent: userAgent?.slice(0, MAX_USER_AGENT_LENGTH) ?? null,
    })
    await manager.query(END_OLDEST, [userId, MAX_SESSIONS_PER_USER, now])
    return token
  }

  /** The live sessions of an account, newest first. */
  async list(actor: UserActor) {
    const live = await this.sessions.find({
      where: { userId: actor.id, revokedAt: IsNull(), expiresAt: MoreThan(this.clock.now()) },
      order: { createdAt: 'DESC', id: 'DESC' },
      take: MAX_SESSIONS_PER_USER,
    })
    return live.map(session => ({
      ...session,
      current: session.id === actor.sessionId,
      createdAt: session.createdAt.toISOString(),
      expiresAt: session.expiresAt.toISOString(),
    }))
  }

  /** Ends the session of the request; does nothing when it has ended. */
  async end(actor: UserActor): Promise<void> {
    await this.#revoke({ userId: actor.id, id: currentOf(actor) })
  }

  /** Ends every session of the account except that of the request. */
  async endOthers(actor: UserActor): Promise<void> {
    await this.#revoke({ userId: actor.id, id: Not(currentOf(actor)) })
  }

  async #revoke(which: FindOptionsWhere<Session>): Promise<void> {
    await this.sessions.update({ ...which, revokedAt: IsNull() }, { revokedAt: this.clock.now() })
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
