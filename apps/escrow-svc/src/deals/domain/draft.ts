/** The parts of a change that several decisions have in common. */
import { assert } from '@holdfast/kernel/assert'
import { MIN_RESUMED_CLOCK_DAYS } from '@holdfast/kernel/clocks'
import type { DisputeCause } from '@holdfast/kernel/deals'
import { addBalances, type Balances, effectOnDeal, type JournalEntry } from '../../ledger/domain/journal.js'
import { daysMs } from './clocks.js'
import type { Change, Circumstances, ClockEntry, Deal, DealEvent, Frozen, RunningClock, TimelineFact } from './deal.js'
import type { CommandType } from './transitions.js'

/** A change before its effect on the balances is computed. */
export type Draft = Omit<Change, 'effect'>

/** Adds the effect of the journal on the balances. @throws Error when a balance would go below zero */
export function withEffect(deal: Deal, draft: Draft): Change {
  const effect = effectOnDeal(deal, draft.journal)
  const after = addBalances(deal, effect)
  const kinds = Object.keys(effect) as (keyof Balances)[]
  for (const kind of kinds) assert(after[kind] >= 0n, `deal ${deal.id}: ${kind} would go below zero`)
  return { ...draft, effect }
}

/** A change to the status of the last timeline step. The deal's clock stops. The new clock starts, if there is one. */
export function withStatus(
  deal: Deal,
  cause: CommandType,
  clock: RunningClock | null,
  timeline: readonly [...TimelineFact[], TimelineFact],
): Draft {
  const clockEntries: ClockEntry[] = []
  if (deal.clock) clockEntries.push({ clock: deal.clock.kind, change: 'stopped', cause, dueAt: null })
  if (clock) clockEntries.push({ clock: clock.kind, change: 'started', cause, dueAt: clock.dueAt })
  const status = timeline[timeline.length - 1]!.status
  return { status, timeline, clock, clockEntries, journal: NO_ENTRIES, events: [], frozen: null }
}

/** A change that keeps the deal's status, and its clock running. */
export function withSameStatus(deal: Deal, timeline: readonly TimelineFact[]): Draft {
  const { status, clock, frozen } = deal
  return { status, timeline, clock, clockEntries: [], journal: NO_ENTRIES, events: [], frozen }
}

/** What a deal that is stopped now keeps of its present state, and the entry that pauses its clock. */
export function stopped(
  deal: Deal,
  cause: CommandType,
  now: Date,
): { readonly frozen: Omit<Frozen, 'disputeId'>; readonly clockEntries: readonly ClockEntry[] } {
  return {
    frozen: {
      status: deal.status,
      clock: deal.clock?.kind ?? null,
      remainingMs: deal.clock ? Math.max(0, deal.clock.dueAt.getTime() - now.getTime()) : 0,
      minimumGiven: deal.frozen?.minimumGiven ?? false,
      version: versionAfter(deal),
    },
    clockEntries: deal.clock ? [{ clock: deal.clock.kind, change: 'paused', cause, dueAt: null }] : [],
  }
}

/**
 * The event that a deal is stopped. `disputeId` is null when no party has filed a dispute. `waitsForBank` says whether a bank has to
 * decide about a chargeback.
 */
export const disputedEvent = (
  deal: Deal,
  disputeId: number | null,
  cause: DisputeCause,
  waitsForBank = false,
): DealEvent => ({
  name: 'transactionDisputed',
  status: 'disputed',
  facts: { disputeId, cause, version: versionAfter(deal), waitsForBank },
})

/** The version that a change gives to the deal. */
export const versionAfter = ({ version }: Deal): number => version + 1

/**
 * What changes on a stopped deal that goes on. A clock whose end the dispute did not move keeps it. Every other clock runs again with the
 * time that was left, the first time with at least `MIN_RESUMED_CLOCK_DAYS`.
 */
export function resumed(
  deal: Deal,
  frozen: Frozen,
  cause: CommandType,
  given: Pick<Circumstances, 'now' | 'daySeconds'>,
): Pick<Draft, 'clock' | 'clockEntries' | 'frozen'> {
  const { stoppedByProvider: _, chargebacks: __, short: ___, clockGoesOn, endsAt, ...before } = frozen
  if (deal.clock) return { clock: deal.clock, clockEntries: [], frozen: before }
  const minimumMs = daysMs(MIN_RESUMED_CLOCK_DAYS, given)
  const isOwnTime = clockGoesOn || endsAt !== undefined
  const givesMinimum = !isOwnTime && !frozen.minimumGiven && frozen.remainingMs < minimumMs
  const leftMs = givesMinimum ? minimumMs : frozen.remainingMs
  const dueAt = endsAt === undefined ? new Date(given.now.getTime() + leftMs) : new Date(endsAt)
  const clock = frozen.clock && { kind: frozen.clock, dueAt }
  return {
    clock,
    frozen: { ...before, minimumGiven: frozen.minimumGiven || givesMinimum },
    clockEntries: clock ? [{ clock: clock.kind, change: 'resumed', cause, dueAt: clock.dueAt }] : [],
  }
}

/** Pauses a clock that goes on during a dispute while a bank decides, and lets it run again afterwards. */
export function whileBankDecides(deal: Deal, draft: Draft, cause: CommandType, now: Date): Draft {
  const { frozen, clock } = draft
  if (!frozen?.clockGoesOn || !frozen.clock) return draft
  const waits = (frozen.chargebacks ?? []).length > 0
  if (waits && clock) {
    const pause = stopped(deal, cause, now)
    const { remainingMs } = pause.frozen
    return { ...draft, clock: null, clockEntries: pause.clockEntries, frozen: { ...frozen, remainingMs } }
  }
  if (waits || clock) return draft
  const dueAt = new Date(now.getTime() + frozen.remainingMs)
  return {
    ...draft,
    clock: { kind: frozen.clock, dueAt },
    clockEntries: [{ clock: frozen.clock, change: 'resumed', cause, dueAt }],
  }
}

/** Whether a stopped deal can go on: only the provider had stopped it, and every cause of that has ended. */
export const goesOn = ({ stoppedByProvider, short, chargebacks = [] }: Frozen) =>
  stoppedByProvider && !short && chargebacks.length === 0

/** The state in which a disputed deal was stopped. @throws Error when the deal has none */
export function frozenOf({ id, frozen }: Deal) {
  assert(frozen, `deal ${id} is disputed and has no frozen state`)
  return frozen
}

const NO_ENTRIES: readonly JournalEntry[] = []
