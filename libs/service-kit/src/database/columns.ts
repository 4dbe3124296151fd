import type { ValueTransformer } from 'typeorm'

/** A `bigint` id, which the driver reads as text. A JavaScript number is exact here: our sequences stay far below 2^53. */
export const integerId: ValueTransformer = {
  from: (text: string | null) => (text === null ? null : Number(text)),
  to: (id: unknown) => id,
}

/** A `bigint` of minor units, as a `bigint` in JavaScript: never a float. */
export const minorUnits: ValueTransformer = {
  from: (text: string | null) => (text === null ? null : BigInt(text)),
  // In a condition the value may be null or one of TypeORM's operators, which are passed on.
  to: (minor: unknown) => (typeof minor === 'bigint' ? minor.toString() : minor),
}
