/** How many slices in a row must have about the same rate, and how far the slowest may be below the fastest of them. */
const SLICES = 3
const TOLERANCE = 0.07

/** The length of a slice. Shorter ones vary more by themselves. */
export const SLICE_SECONDS = 1

/** How long a warm-up may take: the first load of a run starts with new processes, the later ones with warm ones. */
export const FIRST_WARM_UP_AT_MOST_SECONDS = 15
export const WARM_UP_AT_MOST_SECONDS = 6

/** Whether the last slices have about the same rate. @param {number[]} rates one value a slice, in order */
export function isSteady(rates) {
  const last = rates.slice(-SLICES)
  if (last.length < SLICES) return false
  const fastest = Math.max(...last)
  return fastest > 0 && Math.min(...last) >= fastest * (1 - TOLERANCE)
}
