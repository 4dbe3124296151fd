import { createECDH } from 'node:crypto'
import type { NewPushSubscription, PushBrowser } from '@holdfast/contracts/push'
import { assert } from '@holdfast/kernel/assert'
import { DomainError, invalidFields } from '@holdfast/kernel/errors'
import { newId } from '@holdfast/kernel/ids'
import { isPushService, MAX_PUSH_BROWSERS } from '@holdfast/kernel/push'
import type { UserActor } from '@holdfast/service-kit/auth/actor'
import { type AttemptLimit, Attempts } from '@holdfast/service-kit/auth/attempts'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { Inject, Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource, type EntityManager } from 'typeorm'
import type { PushConfig } from './push-config.js'

/** A person switches push messages on and off a few times. */
const SUBSCRIPTIONS_PER_HOUR: AttemptLimit = { attempts: 30, seconds: 3_600 }

const LOCK_SESSION = `
  SELECT user_agent AS "userAgent" FROM sessions WHERE id = $1 AND user_id = $2 AND revoked_at IS NULL AND expires_at > now() FOR UPDATE`
/** The same browser with another session: its keys prove that it is the same. */
const REPLACE = 'DELETE FROM push_subscription WHERE session_id = $1 OR (endpoint = $2 AND p256dh = $3 AND auth = $4)'
const ADD = `
  INSERT INTO push_subscription (id, user_id, session_id, endpoint, p256dh, auth) VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (endpoint) DO NOTHING RETURNING created_at AS "createdAt"`
const REMOVE_OLDEST = `
  DELETE FROM push_subscription WHERE id IN
    (SELECT id FROM push_subscription WHERE user_id = $1 ORDER BY created_at DESC, id DESC OFFSET ${MAX_PUSH_BROWSERS})`
const LIST = `
  SELECT p.id, p.session_id AS "sessionId", s.user_agent AS "userAgent", p.created_at AS "createdAt"
  FROM push_subscription p JOIN sessions s ON s.id = p.session_id
  WHERE p.user_id = $1 AND s.revoked_at IS NULL AND s.expires_at > now() ORDER BY p.created_at DESC, p.id DESC`
const REMOVE = 'DELETE FROM push_subscription WHERE id = $1 AND user_id = $2'

interface BrowserRow {
  readonly id: string
  readonly sessionId: string
  readonly userAgent: string | null
  readonly createdAt: Date
}

/** The browsers in which users have switched push messages on. Each belongs to one session, and ends with it. */
@Injectable()
export class PushSubscriptionsService {
  readonly #perUser: Attempts

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(CONFIG) private readonly config: PushConfig,
  ) {
    this.#perUser = new Attempts(dataSource, 'push-subscriptions', SUBSCRIPTIONS_PER_HOUR)
  }

  get publicKey(): string {
    return this.config.VAPID_PRIVATE_KEY.publicKey
  }

  /**
   * Adds the browser of the request. It replaces an earlier subscription of the same session or browser, also one of another user who was
   * signed in there before. Beyond `MAX_PUSH_BROWSERS` the oldest is removed.
   *
   * @throws DomainError `VALIDATION_FAILED` for an address that is no push service's or is another browser's, and for a key that is no
   * point of the curve; `RATE_LIMITED`; `UNAUTHENTICATED` when the session has ended meanwhile
   */
  async add(actor: UserActor, { endpoint, keys }: NewPushSubscription): Promise<PushBrowser> {
    if (!isPushService(endpoint, this.config.PUSH_SERVICES))
      throw invalidFields({ endpoint: 'Must be the address of a push service' })
    if (!isPoint(keys.p256dh)) throw invalidFields({ 'keys.p256dh': 'Must be a P-256 key' })
    await this.#perUser.count(actor.id)
    return this.dataSource.transaction(dbTx => this.#add(dbTx, actor, { endpoint, keys }))
  }

  async #add(dbTx: EntityManager, actor: UserActor, { endpoint, keys }: NewPushSubscription): Promise<PushBrowser> {
    const sessionId = currentOf(actor)
    const [session]: Pick<BrowserRow, 'userAgent'>[] = await dbTx.query(LOCK_SESSION, [sessionId, actor.id])
    if (!session) throw new DomainError('UNAUTHENTICATED')
    await dbTx.query(REPLACE, [sessionId, endpoint, keys.p256dh, keys.auth])
    const id = newId()
    const values = [id, actor.id, sessionId, endpoint, keys.p256dh, keys.auth]
    const [added]: Pick<BrowserRow, 'createdAt'>[] = await dbTx.query(ADD, values)
    if (!added) throw invalidFields({ endpoint: 'Belongs to another browser' })
    await dbTx.query(REMOVE_OLDEST, [actor.id])
    return viewOf({ id, sessionId, ...session, ...added }, sessionId)
  }

  /** The browsers of a user that get push messages, latest first. */
  async list(actor: UserActor): Promise<PushBrowser[]> {
    const rows: BrowserRow[] = await this.dataSource.query(LIST, [actor.id])
    return rows.map(row => viewOf(row, actor.sessionId))
  }

  /** @throws DomainError `NOT_FOUND` when it is none of the user's */
  async remove(userId: string, id: string): Promise<void> {
    const [, removed]: [unknown, number] = await this.dataSource.query(REMOVE, [id, userId])
    if (removed === 0) throw new DomainError('NOT_FOUND')
  }
}

const viewOf = (
  { id, sessionId, userAgent, createdAt }: BrowserRow,
  current: string | null | undefined,
): PushBrowser => ({
  id,
  current: sessionId === current,
  userAgent,
  createdAt: createdAt.toISOString(),
})

/** Whether the bytes are a point of P-256: others cannot be encrypted for, and would fail with every message. */
function isPoint(base64url: string): boolean {
  const ecdh = createECDH('prime256v1')
  ecdh.generateKeys()
  try {
    ecdh.computeSecret(Buffer.from(base64url, 'base64url'))
    return true
  } catch (error) {
    if ((error as { readonly code?: string }).code === 'ERR_CRYPTO_ECDH_INVALID_PUBLIC_KEY') return false
    throw error
  }
}

function currentOf({ sessionId }: UserActor): string {
  assert(sessionId, 'the gateway names the session of every signed-in actor')
  return sessionId
}
