/** The value below which a share of the values lies, by the nearest rank: `percentile(latencies, 0.95)`. NaN without values. */
export function percentile(values, share) {
  const sorted = Float64Array.from(values).sort()
  return sorted.length === 0 ? Number.NaN : sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)]
}

/** Whether a value is above its aim as a line with so many decimals shows it. NaN, a value without measurements, is. */
export const isAbove = (value, aim, decimals) => !(Number(value.toFixed(decimals)) <= aim)

/** The middle value; of an even number of values, the mean of the two in the middle. NaN without values. */
export function median(values) {
  const sorted = Float64Array.from(values).sort()
  const middle = (sorted.length - 1) / 2
  return (sorted[Math.floor(middle)] + sorted[Math.ceil(middle)]) / 2
}
