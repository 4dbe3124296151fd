import { stepsOf } from './deal-model.js'
import type { MadeMove } from './deal-moves.js'
import type { Answer, ModelDeal } from './deal-state.js'

/** A move and the answer it got. */
export interface AnsweredMove {
  readonly move: MadeMove
  readonly answer: Answer
}

/** A check that visits more states than this fails: its batch is too large. */
const MAX_STATES = 200_000

/**
 * The states that a deal may have after moves that were made at the same time, given the answer to each. A state is possible
 * if some order of the moves' steps leads to it and gives these answers. Without a possible state, an answer was wrong
 * (linearizability, Herlihy and Wing 1990, extended to moves of several steps).
 */
export function possibleEnds(start: ModelDeal, batch: readonly AnsweredMove[]): ModelDeal[] {
  const moves = batch.map(({ move, answer }) => ({ steps: stepsOf(move), answer }))
  const alone = batch.length === 1
  const visited = new Set<string>()
  const ends = new Map<string, ModelDeal>()

  const walk = (deal: ModelDeal, done: readonly number[]): void => {
    const state = JSON.stringify([deal, done])
    if (visited.has(state)) return
    visited.add(state)
    if (visited.size > MAX_STATES) throw new Error('the batch has too many possible orders')
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

/** Marks a move that has answered: it takes no further step. */
const DONE = -1
