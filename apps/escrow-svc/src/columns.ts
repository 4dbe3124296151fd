import type { ValueTransformer } from 'typeorm'

/** A bigint id that JavaScript holds exactly: our sequences stay far below 2^53. */
export const integerId: ValueTransformer = {
  from: (value: string | null) => (value === null ? null : Number(value)),
  to: (value: number | null | undefined) => value,
}

/** Minor units: never a float on the way in or out. */
export const minorUnits: ValueTransformer = {
  from: (value: string | null) => (value === null ? null : BigInt(value)),
  to: (value: bigint | null | undefined) => value?.toString(),
}
