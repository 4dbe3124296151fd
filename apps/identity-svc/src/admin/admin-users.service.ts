import type { AdminUser, identityAdminRoutes } from '@holdfast/contracts/admin-users'
import { userSuspensionChanged } from '@holdfast/contracts/events'
import type { Output, Parsed } from '@holdfast/contracts/route'
import { newEvent } from '@holdfast/events/outbox/event'
import { appendToOutbox } from '@holdfast/events/outbox/outbox'
import { APPROVER_AFTER_DAYS, MAX_APPROVERS, TOO_NEW_TEXTS } from '@holdfast/kernel/admin'
import { DomainError } from '@holdfast/kernel/errors'
import { UUID_PATTERN } from '@holdfast/kernel/ids'
import type { UserRole, VerificationDecision } from '@holdfast/kernel/users'
import { keepAct } from '@holdfast/service-kit/audit/admin-acts'
import { databaseTime, fromNow } from '@holdfast/service-kit/database/database-time'
import { Clock } from '@holdfast/service-kit/lifecycle/clock'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { Inject, Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource, type EntityManager, In } from 'typeorm'
import type { IdentityConfig } from '../config.js'
import { endPendingChanges } from '../credentials/pending-changes.js'
import { SessionsService } from '../sessions/sessions.service.js'
import { normaliseQuery, prefixPattern } from '../users/search-pattern.js'
import { User, viewOf } from '../users/user.entity.js'
import { writeDecision } from '../verification/decide-verification.js'

type Details = Output<typeof identityAdminRoutes.getUser>
type Page = Parsed<typeof identityAdminRoutes.listUsers>['query']

/** The admin who acts, and why. */
interface Admin {
  readonly actorId: string
  readonly reason: string
}

/** Users as an operator sees and changes them. Every change is kept with what was before and after. */
@Injectable()
export class AdminUsersService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly sessions: SessionsService,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: IdentityConfig,
  ) {}

  /** A page of users, newest first. */
  async list({ limit, before, q, role }: Page): Promise<AdminUser[]> {
    const query = q === undefined ? null : normaliseQuery(q)
    const id = query !== null && UUID_PATTERN.test(query) ? query : null
    const values = [limit, before ?? null, role ?? null, query && prefixPattern(query), id, this.clock.now()]
    const rows: Row[] = await this.dataSource.query(LIST, values)
    return rows.map(toUser)
  }

  /** @throws DomainError `NOT_FOUND` */
  async get(userId: string): Promise<Details> {
    const [row]: Row[] = await this.dataSource.query(GET, [userId, this.clock.now()])
    if (!row) throw new DomainError('NOT_FOUND')
    const liveSessions = await this.sessions.listOf(userId)
    return { ...toUser(row), liveSessions }
  }

  /**
   * Gives a user another role. It counts from their next request on: every session check reads it. A new admin counts for acts that
   * need two admins after `APPROVER_AFTER_DAYS`, so that an admin cannot approve their own request with a second account.
   *
   * @throws DomainError `NOT_FOUND`; `CONFLICT` for a closed account, and for a suspended user who would be an admin; `FORBIDDEN` for one's
   * own role, and for an admin whose role was taken since the request began: otherwise the product could be left without any admin; `ADMIN_TOO_NEW` when a new admin would take the role from another one:
   * otherwise they could remove everybody who would notice their appointment
   */
  async changeRole(userId: string, role: UserRole, admin: Admin): Promise<Details> {
    if (userId === admin.actorId) throw new DomainError('FORBIDDEN')
    await this.dataSource.transaction(async dbTx => {
      const [user, actor] = await lockTwo(dbTx, userId, admin.actorId)
      if (!user) throw new DomainError('NOT_FOUND')
      if (actor?.role === 'user') throw new DomainError('FORBIDDEN')
      if (user.role === role) return
      if (user.closingId !== null) throw new DomainError('CONFLICT', undefined, CLOSED_ACCOUNT)
      // An admin's suspension could not be ended: `suspend` refuses admins.
      if (user.suspendedAt !== null && role === 'admin') throw new DomainError('CONFLICT', undefined, SUSPENDED)
      if (user.role === 'admin' && actor && !(await isApprover(dbTx, actor.id)))
        throw new DomainError('ADMIN_TOO_NEW', { who: 'taker' }, TOO_NEW_TEXTS.taker)
      const waitMs = APPROVER_AFTER_DAYS * this.config.DAY_SECONDS * 1000
      const approvesFrom = role === 'admin' ? fromNow(waitMs) : null
      await dbTx.update(User, { id: userId }, { role, approvesFrom })
      const [before, after] = [{ role: user.role }, { role }]
      await keepAct(dbTx, { ...admin, act: 'user.change_role', subject: `user:${userId}`, before, after })
    })
    return this.get(userId)
  }

  /**
   * Verifies a user, or rejects or takes back the verification. The other services are notified by an event: only verified sellers
   * are paid out.
   *
   * @param submissionId the submission that the admin has reviewed; left out for a decision without one
   * @throws DomainError `NOT_FOUND`; `FORBIDDEN` for oneself; `CONFLICT` when another submission waits, or none
   */
  async decideVerification(
    userId: string,
    { decision, submissionId }: { decision: VerificationDecision; submissionId?: string | undefined },
    admin: Admin,
  ): Promise<Details> {
    if (userId === admin.actorId) throw new DomainError('FORBIDDEN')
    await this.dataSource.transaction(async dbTx => {
      const user = await lock(dbTx, userId)
      if (user.closingId !== null) throw new DomainError('CONFLICT', undefined, CLOSED_ACCOUNT)
      if (submissionId !== undefined) await assertWaiting(dbTx, userId, submissionId)
      if (user.verificationStatus === decision) return
      // The user is locked, so the times of two decisions are in the order of the decisions. Readers keep the latest.
      const at = await databaseTime(dbTx)
      const { actorId, reason } = admin
      await writeDecision(dbTx, { user: viewOf(user), decision, reason, decidedBy: actorId, at })
      const act = decision === 'approved' ? 'user.verify' : 'user.unverify'
      const [before, after] = [{ verificationStatus: user.verificationStatus }, { verificationStatus: decision }]
      await keepAct(dbTx, { ...admin, act, subject: `user:${userId}`, before, after })
    })
    return this.get(userId)
  }

  /**
   * Suspends a user, or ends the suspension. All sessions of a suspended user, and a change of their e-mail address that waits, end in the
   * same dbTx. Their deals go on. The escrow is told by an event: it charges nothing more for Premium.
   *
   * @throws DomainError `NOT_FOUND`; `FORBIDDEN` for an admin, oneself included: their role is taken first, as `changeRole` allows
   */
  async suspend(userId: string, isSuspended: boolean, admin: Admin): Promise<Details> {
    await this.dataSource.transaction(async dbTx => {
      const user = await lock(dbTx, userId)
      if (user.role === 'admin' || userId === admin.actorId)
        throw new DomainError('FORBIDDEN', undefined, 'An admin cannot be suspended. Make them a user first.')
      if ((user.suspendedAt !== null) === isSuspended) return
      // The user is locked, so the times of two changes are in their order. Readers keep the latest.
      const at = await databaseTime(dbTx)
      await dbTx.update(User, { id: userId }, { suspendedAt: isSuspended ? at : null })
      const change = { userId, isSuspended, at: at.toISOString() }
      await appendToOutbox(dbTx, newEvent(userSuspensionChanged, userId, change, at))
      if (isSuspended) {
        await this.sessions.endAll(dbTx, userId)
        await endPendingChanges(dbTx, userId)
      }
      const [before, after] = [{ isSuspended: !isSuspended }, { isSuspended }]
      const act = isSuspended ? 'user.suspend' : 'user.restore'
      await keepAct(dbTx, { ...admin, act, subject: `user:${userId}`, before, after })
    })
    return this.get(userId)
  }

  /** The names of users; unknown ids are left out. */
  async namesOf(ids: readonly string[]): Promise<{ id: string; name: string }[]> {
    const users = await this.dataSource.getRepository(User).findBy({ id: In([...new Set(ids)]) })
    return users.map(({ id, firstName, lastName }) => ({ id, name: `${firstName} ${lastName}`.trim() }))
  }

  /** The admins who count for acts that need two admins. */
  async listApprovers(): Promise<string[]> {
    const rows: { id: string }[] = await this.dataSource.query(APPROVERS, [MAX_APPROVERS])
    return rows.map(({ id }) => id)
  }

  /** Ends every session of a user, and a change of their e-mail address that waits. @throws DomainError `NOT_FOUND` */
  async endSessions(userId: string, admin: Admin): Promise<Details> {
    await this.dataSource.transaction(async dbTx => {
      await lock(dbTx, userId)
      const ended = await this.sessions.endAll(dbTx, userId)
      await endPendingChanges(dbTx, userId)
      const [before, after] = [{ sessions: ended }, { sessions: 0 }]
      await keepAct(dbTx, { ...admin, act: 'user.end_sessions', subject: `user:${userId}`, before, after })
    })
    return this.get(userId)
  }
}

const CLOSED_ACCOUNT = 'This account is closed, or is being closed.'
const SUSPENDED = 'This user is suspended. End the suspension first.'

async function lock(dbTx: EntityManager, id: string): Promise<User> {
  const user = await dbTx.findOne(User, { where: { id }, lock: { mode: 'pessimistic_write' } })
  if (!user) throw new DomainError('NOT_FOUND')
  return user
}

/** Locks two users in the order of their ids, so that two admins who change each other wait for one another. */
async function lockTwo(dbTx: EntityManager, ...ids: [string, string]): Promise<(User | undefined)[]> {
  const users = await dbTx.find(User, {
    where: { id: In(ids) },
    order: { id: 'ASC' },
    lock: { mode: 'pessimistic_write' },
  })
  return ids.map(id => users.find(user => user.id === id))
}

/** @throws DomainError `CONFLICT` */
async function assertWaiting(dbTx: EntityManager, userId: string, submissionId: string): Promise<void> {
  const found: object[] = await dbTx.query(
    `SELECT FROM verification WHERE id = $1 AND user_id = $2 AND state = 'submitted'`,
    [submissionId, userId],
  )
  if (found.length === 0)
    throw new DomainError('CONFLICT', undefined, 'This submission does not wait any more. Please look again.')
}

async function isApprover(dbTx: EntityManager, id: string): Promise<boolean> {
  const found: object[] = await dbTx.query(`SELECT FROM users WHERE id = $1 AND ${IS_APPROVER}`, [id])
  return found.length > 0
}

type Row = Omit<AdminUser, 'createdAt' | 'approvesFrom' | 'closingAt' | 'closedAt' | 'suspendedAt'> & {
  readonly createdAt: Date
  readonly suspendedAt: Date | null
  readonly approvesFrom: Date | null
  readonly closingAt: Date | null
  readonly closedAt: Date | null
}

const toUser = ({ createdAt, approvesFrom, closingAt, closedAt, suspendedAt, ...row }: Row): AdminUser => ({
  ...row,
  closingAt: closingAt?.toISOString() ?? null,
  closedAt: closedAt?.toISOString() ?? null,
  createdAt: createdAt.toISOString(),
  approvesFrom: approvesFrom?.toISOString() ?? null,
  suspendedAt: suspendedAt?.toISOString() ?? null,
})

/** @param now the parameter with the present time */
const columns = (
  now: string,
) => `id, email, username, first_name AS "firstName", last_name AS "lastName", role, plan, approves_from AS "approvesFrom",
  suspended_at AS "suspendedAt",
  verification_status AS "verificationStatus", total_transactions AS "totalTransactions", created_at AS "createdAt",
  closing_at AS "closingAt", closed_at AS "closedAt",
  (SELECT count(*)::int FROM sessions s WHERE s.user_id = users.id AND s.revoked_at IS NULL AND s.expires_at > ${now}) AS sessions`

/** Whether a user counts for acts that need two admins. */
const IS_APPROVER = `role = 'admin' AND approves_from <= clock_timestamp()`
const APPROVERS = `SELECT id FROM users WHERE ${IS_APPROVER} LIMIT $1`
const GET = `SELECT ${columns('$2')} FROM users WHERE id = $1`
const LIST = `SELECT ${columns('$6')} FROM users
  WHERE ($2::uuid IS NULL OR id < $2) AND ($3::text IS NULL OR role = $3)
    AND ($4::text IS NULL OR id = $5::uuid OR lower(username) LIKE $4 OR lower(last_name) LIKE $4 OR lower(email) LIKE $4
      OR lower(first_name || ' ' || last_name) LIKE $4)
  ORDER BY id DESC LIMIT $1`
