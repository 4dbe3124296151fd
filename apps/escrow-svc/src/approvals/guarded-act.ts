import type { GuardedAct as Kind } from '@holdfast/kernel/admin'
import type { Currency } from '@holdfast/kernel/money'
import type { EntityManager } from 'typeorm'

/** What an act would move, before it is done. */
export interface ActImpact {
  /** The kind of the thing and its id, such as `transaction:7`. */
  readonly subject: string
  /** A second thing that it changes. The audit log finds the act by both. */
  readonly otherSubject?: string
  /** Above zero. */
  readonly amountMinor: bigint
  readonly currency: Currency
  /** The users whose money it moves. None of them may ask for it or approve it. */
  readonly parties: readonly string[]
}

/** The admin who performs an act (for a request, the one who approved it), and what they were shown that it would move. */
export interface ActingAdmin {
  readonly actorId: string
  /** The database's time. */
  readonly at: Date
  /** What `impactOf` has found in the same dbTx. It decided whether a second admin is needed. */
  readonly impact: ActImpact
}

/** What an act has changed: facts about its subject, by name. */
export interface ActResult {
  readonly before: Readonly<Record<string, unknown>>
  readonly after: Readonly<Record<string, unknown>>
  /** Runs after the commit. A crash may prevent it, so nothing may depend on it. */
  readonly committed?: () => void
}

/** An act of an operator that needs a second admin above an amount. Each reads its input by a schema of its own. */
export interface GuardedAct {
  readonly kind: Kind
  /** What it would move. May lock what it reads until the dbTx ends. @throws DomainError when it is not possible now */
  impactOf(dbTx: EntityManager, input: unknown): Promise<ActImpact>
  /** Performs it, in the dbTx that also records it. @throws DomainError when it is not possible any more */
  perform(dbTx: EntityManager, input: unknown, by: ActingAdmin): Promise<ActResult>
}
