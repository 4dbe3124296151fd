import { type Answer, type Deal, type Move, stepsOf } from './deal-model.js'

/** A move that was made while others were, and what its maker was told. */
export interface Seen {
  readonly move: Move
  readonly answer: Answer
}

/** More ways than this through one batch would be a batch that is too large to judge. */
const MAX_WAYS = 200_000

/**
 * Where a deal may be after moves that were made at the same time, given what each was answered: every end that some
 * order of their steps leads to. None means that somebody was told what cannot be (linearizability, Herlihy and Wing
 * 1990, with moves of several steps).
 */
export function endsOf(start: Deal, batch: readonly Seen[]): Deal[] {
  const moves = batch.map(({ move, answer }) => ({ steps: stepsOf(move), answer }))
  const alone = batch.length === 1
  const visited = new Set<string>()
  const ends = new Map<string, Deal>()

  const walk = (deal: Deal, done: readonly number[]): void => {
    const place = JSON.stringify([deal, done])
    if (visited.has(place)) return
    visited.add(place)
    if (visited.size > MAX_WAYS) throw new Error('too many ways through one batch')
    if (done.every((count, i) => count === DONE || count === moves[i]?.steps.length))
      ends.set(JSON.stringify(deal), deal)
    for (const [i, { steps, answer }] of moves.entries()) {
      const step = done[i] === DONE ? undefined : steps[done[i] as number]
      for (const outcome of step?.(deal, alone) ?? []) {
        if (outcome.answer !== undefined && outcome.answer !== answer) continue
        const next = outcome.answer === undefined ? (done[i] as number) + 1 : DONE
        walk(outcome.deal, done.with(i, next))
      }
    }
  }
  walk(
    start,
    moves.map(() => 0),
  )
  return [...ends.values()]
}

/** A move that has answered takes no further step. */
const DONE = -1
