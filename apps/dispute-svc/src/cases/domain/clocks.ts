import { DISPUTE_CLOCK_DAYS, type DisputeClock } from '@holdfast/kernel/disputes'
import type { Case, CaseChange, CaseCircumstances } from './case.js'
import { CLOCKS_IN, type Stage } from './stages.js'

const SECOND_MS = 1000

/**
 * The time limits that end and those that start when a case enters a stage.
 *
 * @param ends those that end although the stage would keep them
 */
export function clocksAfter(
  dispute: Pick<Case, 'clocks'>,
  stage: Stage,
  ends: readonly DisputeClock[],
  { now, daySeconds, newId }: Pick<CaseCircumstances, 'now' | 'daySeconds' | 'newId'>,
): CaseChange['clocks'] {
  const running = dispute.clocks.map(({ kind }) => kind)
  // While escrow posts what was decided, the time limits stay as they are. It may refuse.
  if (stage === 'settling') return { started: [], ended: [] }
  const { starts, keeps = [] } = CLOCKS_IN[stage]
  const stays = (kind: DisputeClock) => (starts.includes(kind) || keeps.includes(kind)) && !ends.includes(kind)
  return {
    ended: running.filter(kind => !stays(kind)),
    started: starts
      .filter(kind => !running.includes(kind))
      .map(kind => ({
        id: newId(),
        kind,
        dueAt: new Date(now.getTime() + DISPUTE_CLOCK_DAYS[kind] * daySeconds * SECOND_MS),
      })),
  }
}
