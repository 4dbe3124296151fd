import type { ValueTransformer } from 'typeorm'

/** A `bigint` id, which TypeORM's driver reads as text: JavaScript holds ours exactly, since sequences stay far below 2^53. */
export const integerId: ValueTransformer = {
  from: (text: string | null) => (text === null ? null : Number(text)),
  to: (id: unknown) => id,
}

/** A `bigint` of minor units: never a float on the way in or out. */
export const minorUnits: ValueTransformer = {
  from: (text: string | null) => (text === null ? null : BigInt(text)),
  // What is no bigint is one of TypeORM's operators, or nothing.
  to: (minor: unknown) => (typeof minor === 'bigint' ? minor.toString() : minor),
}
