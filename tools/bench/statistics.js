/** The value below which a share of the values lies, by the nearest rank: `percentile(latencies, 0.95)`. NaN without values. */
export function percentile(values, share) {
  const sorted = Float64Array.from(values).sort()
  return sorted.length === 0 ? Number.NaN : sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)]
}

export const median = values => [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) / 2)]
