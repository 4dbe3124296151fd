/** A row of a table of states: from each of `from` one gets to each of `to`. */
export interface Move<State> {
  readonly from: readonly State[]
  readonly to: readonly State[]
}

/** The states that can be reached from one by these moves, itself included. For the checks of tables at boot. */
export function reachable<State>(moves: readonly Move<State>[], start: State): Set<State> {
  const seen = new Set<State>([start])
  // The loop also visits what it adds to the set. Each state is added once, so it ends.
  for (const state of seen)
    for (const { from, to } of moves) if (from.includes(state)) for (const next of to) seen.add(next)
  return seen
}
