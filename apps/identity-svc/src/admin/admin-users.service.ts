import type { AdminUser, identityAdminRoutes } from '@holdfast/contracts/admin-users'
import type { Output, Parsed } from '@holdfast/contracts/route'
import { DomainError } from '@holdfast/kernel/errors'
import { UUID_PATTERN } from '@holdfast/kernel/ids'
import type { UserRole } from '@holdfast/kernel/users'
import { keepAct } from '@holdfast/service-kit/audit/admin-acts'
import { Clock } from '@holdfast/service-kit/lifecycle/clock'
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource, type EntityManager, In } from 'typeorm'
import { SessionsService } from '../sessions/sessions.service.js'
import { normaliseQuery, prefixPattern } from '../users/search-pattern.js'
import { User } from '../users/user.entity.js'

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
   * Gives a user another role. It counts from their next request on: every session check reads it.
   *
   * @throws DomainError `NOT_FOUND`; `FORBIDDEN` for one's own role, and for an admin whose role was taken since the request began:
   * otherwise the product could be left without any admin
   */
  async changeRole(userId: string, role: UserRole, admin: Admin): Promise<Details> {
    if (userId === admin.actorId) throw new DomainError('FORBIDDEN')
    await this.dataSource.transaction(async dbTx => {
      const [user, actor] = await lockTwo(dbTx, userId, admin.actorId)
      if (!user) throw new DomainError('NOT_FOUND')
      if (actor?.role === 'user') throw new DomainError('FORBIDDEN')
      if (user.role === role) return
      await dbTx.update(User, { id: userId }, { role })
      const [before, after] = [{ role: user.role }, { role }]
      await keepAct(dbTx, { ...admin, act: 'user.change_role', subject: `user:${userId}`, before, after })
    })
    return this.get(userId)
  }

  /** Ends every session of a user. @throws DomainError `NOT_FOUND` */
  async endSessions(userId: string, admin: Admin): Promise<Details> {
    await this.dataSource.transaction(async dbTx => {
      await lock(dbTx, userId)
      const ended = await this.sessions.endAll(dbTx, userId)
      const [before, after] = [{ sessions: ended }, { sessions: 0 }]
      await keepAct(dbTx, { ...admin, act: 'user.end_sessions', subject: `user:${userId}`, before, after })
    })
    return this.get(userId)
  }
}

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

type Row = Omit<AdminUser, 'createdAt'> & { readonly createdAt: Date }

const toUser = ({ createdAt, ...row }: Row): AdminUser => ({ ...row, createdAt: createdAt.toISOString() })

/** @param now the parameter with the present time */
const columns = (now: string) => `id, email, username, first_name AS "firstName", last_name AS "lastName", role, plan,
  verification_status AS "verificationStatus", total_transactions AS "totalTransactions", created_at AS "createdAt",
  (SELECT count(*)::int FROM sessions s WHERE s.user_id = users.id AND s.revoked_at IS NULL AND s.expires_at > ${now}) AS sessions`

const GET = `SELECT ${columns('$2')} FROM users WHERE id = $1`
const LIST = `SELECT ${columns('$6')} FROM users
  WHERE ($2::uuid IS NULL OR id < $2) AND ($3::text IS NULL OR role = $3)
    AND ($4::text IS NULL OR id = $5::uuid OR lower(username) LIKE $4 OR lower(last_name) LIKE $4 OR lower(email) LIKE $4
      OR lower(first_name || ' ' || last_name) LIKE $4)
  ORDER BY id DESC LIMIT $1`
