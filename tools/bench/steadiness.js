/** How many slices in a row must have about the same rate, and how far the slowest may be below the fastest of them. */
const SLICES = 3
const TOLERANCE = 0.07

/** The length of a slice in seconds. The rates of shorter slices vary too much even when the load is steady. */
export const SLICE_SECONDS = 0.5

/** Whether the last slices have about the same rate. @param {number[]} rates one value for each slice, in order */
export function isSteady(rates) {
  const last = rates.slice(-SLICES)
  if (last.length < SLICES) return false
  const fastest = Math.max(...last)
  return fastest > 0 && Math.min(...last) >= fastest * (1 - TOLERANCE)
}
