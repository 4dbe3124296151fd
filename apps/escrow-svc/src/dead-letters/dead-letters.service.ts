import type { DeadLetter } from '@holdfast/contracts/admin-events'
import {
  findDeadLetter,
  listDeadLetters,
  requestReplay,
  requestReplayOfAll,
} from '@holdfast/events/embedded/dead-letters'
import { DomainError } from '@holdfast/kernel/errors'
import { keepAct } from '@holdfast/service-kit/audit/admin-acts'
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'

interface Admin {
  readonly actorId: string
  readonly reason: string
}

/**
 * The dead letters of every service, for operators. The log of events belongs to all services, so one of them serves them: this
 * one, which also keeps the other acts on money.
 */
@Injectable()
export class DeadLettersService {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** A page of dead letters, newest first. */
  async list(page: { limit: number; before?: number | undefined; type?: string | undefined; openOnly: boolean }) {
    const letters = await listDeadLetters(this.dataSource, page)
    return letters.map(
      ({ payload: _, at, occurredAt, replayRequestedAt, replayedAt, ...letter }): DeadLetter => ({
        ...letter,
        at: at.toISOString(),
        occurredAt: occurredAt.toISOString(),
        replayRequestedAt: replayRequestedAt?.toISOString() ?? null,
        replayedAt: replayedAt?.toISOString() ?? null,
      }),
    )
  }

  /** Has one dead letter handled again. @throws DomainError `NOT_FOUND` when there is none, or it was replayed before */
  async replay(id: number, admin: Admin): Promise<number> {
    await this.dataSource.transaction(async dbTx => {
      const letter = await findDeadLetter(dbTx, id)
      if (!letter || !(await requestReplay(dbTx, id))) throw new DomainError('NOT_FOUND')
      const { group, type, eventId, attempts, error } = letter
      await keepAct(dbTx, {
        ...admin,
        act: 'dead_letter.replay',
        subject: `dead_letter:${id}`,
        before: { group, type, eventId, attempts, error },
        after: { replayRequested: true },
      })
    })
    return 1
  }

  /** Has every dead letter of a type handled again that was not. @returns their number */
  async replayType(type: string, admin: Admin): Promise<number> {
    return this.dataSource.transaction(async dbTx => {
      const requested = await requestReplayOfAll(dbTx, type)
      if (requested > 0)
        await keepAct(dbTx, {
          ...admin,
          act: 'dead_letter.replay',
          subject: `dead_letters:${type}`,
          before: { type, open: requested },
          after: { replayRequested: requested },
        })
      return requested
    })
  }
}
