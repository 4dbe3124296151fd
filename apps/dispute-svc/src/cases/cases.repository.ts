import { assert } from '@holdfast/kernel/assert'
import { DISPUTE_STATUSES, type DisputeStatus } from '@holdfast/kernel/disputes'
import { newId } from '@holdfast/kernel/ids'
import { databaseTime } from '@holdfast/service-kit/database/database-time'
import { answerOnce, findAnswer, type IdempotencyKey } from '@holdfast/service-kit/idempotency/idempotency'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { Inject, Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource, type EntityManager, In } from 'typeorm'
import type { DisputeConfig } from '../config.js'
import {
  type CaseFacts,
  type CaseRecords,
  CLOCKS_END_UNTIL,
  lockCase,
  type OpenedDispute,
  readCase,
  readFacts,
  readFactsOf,
  readRecords,
  toCase,
} from './case-rows.js'
import { DisputeEntity } from './dispute.entity.js'
import type { Case, CaseCircumstances } from './domain/case.js'
import { clocksAfter } from './domain/clocks.js'
import { STATUS_IN } from './domain/stages.js'
import { closeDispute, recordStep, writeClocks } from './write-case.js'
import { type Decided, writeChange } from './write-change.js'

/** What a decision depends on besides the case and the actor. */
interface Given extends Omit<CaseCircumstances, 'role' | 'userId'> {
  /** A time limit may be ended if it was due by this time: now, or earlier when no replica could act lately (`outages/`). */
  readonly clocksEndUntil: Date
}

/** Decides what changes on a case, and for whom; null for nothing. */
export type DecideCase = (dispute: Case, given: Given) => Decided | null

/** Reads and writes cases. A change locks the dispute's row, and its event is written with it. */
@Injectable()
export class CasesRepository {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(CONFIG) private readonly config: DisputeConfig,
  ) {}

  /**
   * Changes a case, once per idempotency key. `alsoWrite` writes more rows in the same dbTx.
   *
   * @throws DomainError `NOT_FOUND`, `IDEMPOTENCY_KEY_REUSED`, and what `decide` throws
   */
  async change<A = undefined>(
    id: number,
    decide: DecideCase,
    key: IdempotencyKey | null = null,
    alsoWrite?: (manager: EntityManager, dispute: Case, decided: Decided, now: Date) => Promise<A>,
  ): Promise<A | undefined> {
    const work = async (manager: EntityManager): Promise<{ written: A | undefined }> => {
      const dispute = await lockCase(manager, id)
      const given = await this.given(manager)
      const decided = decide(dispute, given)
      if (!decided) return { written: undefined }
      await writeChange(manager, dispute, decided, given)
      return { written: await alsoWrite?.(manager, dispute, decided, given.now) }
    }
    if (!key) return (await this.dataSource.transaction(work)).written
    const askedAt = await databaseTime(this.dataSource)
    return (await answerOnce(this.dataSource, key, askedAt, work)).written
  }

  /**
   * What a change with this key has written; undefined for a new key.
   *
   * @throws DomainError `IDEMPOTENCY_KEY_REUSED`
   */
  async findWritten<A>(key: IdempotencyKey): Promise<A | undefined> {
    return (await findAnswer<{ written: A }>(this.dataSource, key))?.written
  }

  /**
   * Checks whether a change is allowed on the case as it is now, and writes nothing. It comes before costly work for the change.
   *
   * @throws DomainError as `change`
   */
  async check(id: number, decide: DecideCase): Promise<void> {
    const { manager } = this.dataSource
    const dispute = await readCase(manager, await manager.findOneBy(DisputeEntity, { id }))
    decide(dispute, await this.given(manager))
  }

  /** Whether a request with this key was answered before. @throws DomainError `IDEMPOTENCY_KEY_REUSED` */
  async isAnswered(key: IdempotencyKey | null): Promise<boolean> {
    return key !== null && (await findAnswer(this.dataSource, key)) !== undefined
  }

  /** A case, and the time at which it was read; null when there is none, or it was never open. */
  async read(id: number): Promise<(OpenedDispute & { readonly facts: CaseFacts; readonly now: Date }) | null> {
    const { manager } = this.dataSource
    const row = await manager.findOneBy(DisputeEntity, { id })
    if (!row?.openedAt) return null
    const facts = await readFacts(manager, id)
    return { row, facts, dispute: toCase(row, facts), now: await databaseTime(manager) }
  }

  /** What only the page of a case shows. */
  readRecords(id: number): Promise<CaseRecords> {
    return readRecords(this.dataSource.manager, id)
  }

  /** The disputes of which a user is a party, newest first. A filing that escrow has not answered has no parties yet. */
  async listOf(userId: string, limit: number): Promise<{ row: DisputeEntity; dispute: Case | null }[]> {
    const { manager } = this.dataSource
    const found = await manager.find(DisputeEntity, {
      where: [{ buyerId: userId }, { sellerId: userId }],
      order: { id: 'DESC' },
      take: limit,
    })
    const facts = await readFactsOf(
      manager,
      found.map(({ id }) => id),
    )
    // A filing that escrow refused, and whose late call froze the deal nevertheless, is closed and never had a case.
    return found.map(row => ({ row, dispute: row.openedAt && toCase(row, facts.get(row.id)!) }))
  }

  /**
   * Disputes that were opened, the earliest time limit first, those that wait for a bank last; of all statuses but closed when
   * `statuses` is null. Closed ones have no time limit, and the newest of them comes first.
   */
  async queue(limit: number, statuses: readonly DisputeStatus[] | null): Promise<OpenedDispute[]> {
    const { manager } = this.dataSource
    const found: { id: string }[] = await manager.query(
      `SELECT d.id FROM dispute d LEFT JOIN dispute_clock c ON c.dispute_id = d.id AND c.ended_at IS NULL
       LEFT JOIN bank_decision b ON b.transaction_id = d.transaction_id
       WHERE d.opened_at IS NOT NULL AND d.status = ANY($1) GROUP BY d.id, b.transaction_id
       ORDER BY d.status <> 'closed' AND b.pending_since IS NOT NULL, min(c.due_at) NULLS LAST,
         CASE WHEN d.status = 'closed' THEN -d.id ELSE d.id END LIMIT $2`,
      [statuses ?? DISPUTE_STATUSES.filter(status => status !== 'closed'), limit],
    )
    const ids = found.map(({ id }) => Number(id))
    const rows = new Map((await manager.findBy(DisputeEntity, { id: In(ids) })).map(row => [row.id, row]))
    const facts = await readFactsOf(manager, ids)
    return ids.map(id => {
      const row = rows.get(id)!
      return { row, dispute: toCase(row, facts.get(id)!) }
    })
  }

  private async given(manager: EntityManager): Promise<Given> {
    const [row]: { now: Date; clocksEndUntil: Date }[] = await manager.query(TIMES)
    return { ...row!, daySeconds: this.config.DAY_SECONDS, newId }
  }

  get(id: number): Promise<DisputeEntity> {
    return this.dataSource.getRepository(DisputeEntity).findOneByOrFail({ id })
  }

  /** Closes a dispute whose end escrow has posted. A dispute that was closed before is left as it is. */
  async markSettled(id: number): Promise<DisputeEntity> {
    await this.dataSource.transaction(async manager => {
      const row = await manager.findOne(DisputeEntity, { where: { id }, lock: { mode: 'pessimistic_write' } })
      if (row?.step !== 'settling') return
      const now = await databaseTime(manager)
      const { settleResolution: resolution, settleBy: userId } = row
      await closeDispute(manager, row, { step: 'closed', resolution, by: 'system', userId, now })
    })
    return this.get(id)
  }

  /**
   * Takes a decision back that escrow refused to post, and tells the parties.
   *
   * @param reopened whether a mediator decides again. Otherwise the case goes on where it was
   */
  async putBack(id: number, { reopened }: { readonly reopened: boolean }): Promise<void> {
    await this.dataSource.transaction(async manager => {
      const row = await manager.findOne(DisputeEntity, { where: { id }, lock: { mode: 'pessimistic_write' } })
      if (row?.step !== 'settling') return
      const dispute = toCase(row, await readFacts(manager, id))
      const stage = reopened ? 'contested' : row.stageBefore
      assert(stage !== null && stage !== 'settling', `dispute ${id} is settled and was in no stage before`)
      const now = await databaseTime(manager)
      await manager.update(
        DisputeEntity,
        { id },
        {
          ...{ stage, status: STATUS_IN[stage], stageBefore: null, step: 'settled', retryAt: null, updatedAt: now },
          ...{
            settleRefundMinor: null,
            settleHeldMinor: null,
            settleCause: null,
            settleBy: null,
            settleResolution: null,
          },
        },
      )
      await manager.query(`UPDATE proposal SET state = 'ended' WHERE dispute_id = $1 AND state = 'accepted'`, [id])
      const { DAY_SECONDS: daySeconds } = this.config
      if (reopened)
        await writeClocks(manager, id, clocksAfter(dispute, stage, [], { now, daySeconds, newId }), {
          ...{ now, daySeconds, waitsForBank: dispute.waitsForBank },
        })
      await recordStep(manager, dispute, { step: 'not_carried_out', actor: { role: 'escrow', userId: null }, now })
    })
  }
}

const TIMES = `SELECT clock_timestamp() AS now, ${CLOCKS_END_UNTIL} AS "clocksEndUntil"`
