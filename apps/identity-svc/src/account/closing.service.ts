import { type accountChecked, type PayloadOf, userClosing, userClosingRefused } from '@holdfast/contracts/events'
import { newEvent } from '@holdfast/events/outbox/event'
import { appendToOutbox } from '@holdfast/events/outbox/outbox'
import { assert } from '@holdfast/kernel/assert'
import { DomainError } from '@holdfast/kernel/errors'
import { newId } from '@holdfast/kernel/ids'
import { queueMail } from '@holdfast/mail/queue-mail'
import type { UserActor } from '@holdfast/service-kit/auth/actor'
import { databaseTime, fromNow } from '@holdfast/service-kit/database/database-time'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource, type EntityManager } from 'typeorm'
import type { Browser } from '../credentials/browser.js'
import { SessionsService } from '../sessions/sessions.service.js'
import { User } from '../users/user.entity.js'
import { NOT_CLOSED } from './closing-mails.js'
import { eraseUser } from './erasure.js'
import { ProofOfPerson, refuseOld } from './proof-of-person.js'

/** When escrow-svc has not answered after this time, it is asked again. */
const ASK_AGAIN_MS = 60_000

type Checked = PayloadOf<typeof accountChecked>

/**
 * Closes accounts in two steps (ADR 100). `begin` ends every session and asks escrow-svc by event. From that event on escrow-svc opens no
 * deal with the user. Its answer closes the account for ever or leaves it open. Each step is one dbTx with its event, so a kill between
 * them delays the closing and loses nothing.
 */
@Injectable()
export class ClosingService {
  readonly #logger = loggerOf('closing')

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly proof: ProofOfPerson,
    private readonly sessions: SessionsService,
  ) {}

  /**
   * Begins to close an account at its user's request.
   *
   * @throws DomainError as `ProofOfPerson.require`; `ACCOUNT_IN_USE` for an admin
   */
  async begin(actor: UserActor, password: string | undefined, browser: Browser): Promise<void> {
    const proof = await this.proof.require(actor, password, browser)
    await this.dataSource.transaction(async dbTx => {
      const user = await lock(dbTx, actor.id)
      if (!user) throw new DomainError('UNAUTHENTICATED')
      if (user.closingId !== null) return
      await refuseOld(dbTx, user, actor, proof)
      if (user.role === 'admin') throw new DomainError('ACCOUNT_IN_USE', { obstacles: [IS_ADMIN] })
      const closingId = newId()
      // A sign-in whose password was checked before this moment is refused: it checks the version in its own dbTx.
      const passwordVersion = user.passwordVersion + 1
      await dbTx.update(User, user.id, { closingId, closingAt: await databaseTime(dbTx), passwordVersion })
      await this.#ask(dbTx, user.id, closingId)
    })
  }

  /** Asks escrow-svc again about an account whose closing has no answer yet, for example because an event was lost. */
  async askAgain(userId: string): Promise<void> {
    await this.dataSource.transaction(async dbTx => {
      const user = await lock(dbTx, userId)
      const now = await databaseTime(dbTx)
      if (!user?.closingId || !user.closingNextAt || user.closingNextAt > now) return
      await this.#ask(dbTx, userId, user.closingId)
    })
  }

  /** Ends a closing with the answer of escrow-svc. An answer to an earlier attempt, or a second one, changes nothing. */
  async end({ userId, closingId, obstacles }: Checked, dbTx: EntityManager): Promise<void> {
    const user = await lock(dbTx, userId)
    if (user?.closingId !== closingId || user.closedAt !== null) return
    if (user.role === 'admin') return this.#refuse(dbTx, user, ['admin'])
    if (obstacles.length > 0) return this.#refuse(dbTx, user, obstacles)
    await this.sessions.endAll(dbTx, userId)
    await eraseUser(dbTx, user, await databaseTime(dbTx))
    this.#logger.info({ userId }, 'an account was closed')
  }

  async #ask(dbTx: EntityManager, userId: string, closingId: string): Promise<void> {
    await this.sessions.endAll(dbTx, userId)
    await dbTx.update(User, userId, { closingNextAt: fromNow(ASK_AGAIN_MS) })
    const at = await databaseTime(dbTx)
    await appendToOutbox(dbTx, newEvent(userClosing, userId, { userId, closingId, at: at.toISOString() }, at))
  }

  async #refuse(dbTx: EntityManager, { id, email, closingId }: User, obstacles: Checked['obstacles']): Promise<void> {
    assert(closingId, 'an account that is being closed has the id of the attempt')
    await dbTx.update(User, id, { closingId: null, closingAt: null, closingNextAt: null })
    const at = await databaseTime(dbTx)
    const payload = { userId: id, closingId, at: at.toISOString() }
    await appendToOutbox(dbTx, newEvent(userClosingRefused, id, payload, at))
    await queueMail(dbTx, { kind: NOT_CLOSED, recipient: email, data: { userId: id, obstacles } })
    this.#logger.info({ userId: id, obstacles }, 'an account was not closed')
  }
}

export const IS_ADMIN = { kind: 'admin', transactionId: null, disputeId: null } as const

const lock = (dbTx: EntityManager, id: string): Promise<User | null> =>
  dbTx.findOne(User, { where: { id }, lock: { mode: 'pessimistic_write' } })
