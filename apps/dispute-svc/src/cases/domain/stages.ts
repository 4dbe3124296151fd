/** The stages of a dispute, the status that users see in each, and the time limits that run in it. */
import type { DisputeClock, DisputeStatus } from '@holdfast/kernel/disputes'

/**
 * The stages of a dispute.
 * - `opening`: filed; escrow has not yet stopped the deal
 * - `open`: the other party may answer
 * - `investigating`: a mediator looks at the case
 * - `resolved`: a mediator has ruled; either party may appeal
 * - `appealed`: another mediator decides about the appeal
 * - `returning`: the buyer is to ship the item back; `returned`: it is on its way; `checking`: it arrived, the seller may contest it
 * - `contested`: a mediator decides about what came back, or again because the deal holds another amount than at the ruling
 * - `settling`: what was decided is posted at escrow
 */
export const STAGES = [
  'opening',
  'open',
  'investigating',
  'resolved',
  'appealed',
  'returning',
  'returned',
  'checking',
  'contested',
  'settling',
  'closed',
] as const
export type Stage = (typeof STAGES)[number]

/** The status that users see in each stage. `settling` keeps the status of the stage before. */
export const STATUS_IN: Readonly<Record<Exclude<Stage, 'settling'>, DisputeStatus>> = {
  opening: 'open',
  open: 'open',
  investigating: 'investigating',
  resolved: 'resolved',
  appealed: 'investigating',
  returning: 'resolved',
  returned: 'resolved',
  checking: 'resolved',
  contested: 'investigating',
  closed: 'closed',
}

/** The time limits of each stage. Entering a stage starts some, keeps some that run already, and ends all others. */
export const CLOCKS_IN: Readonly<
  Record<
    Exclude<Stage, 'settling'>,
    { readonly starts: readonly DisputeClock[]; readonly keeps?: readonly DisputeClock[] }
  >
> = {
  opening: { starts: [] },
  open: { starts: ['response', 'first_look', 'ruling'] },
  investigating: { starts: [], keeps: ['response', 'first_look', 'ruling'] },
  resolved: { starts: ['appeal'] },
  appealed: { starts: ['second_ruling'] },
  returning: { starts: ['return_shipping'] },
  returned: { starts: ['return_arrival'] },
  checking: { starts: ['return_check'] },
  contested: { starts: ['second_ruling'] },
  closed: { starts: [] },
}
