import type { SecondFactorMethod } from '@holdfast/kernel/second-factors'
import type { Outcome } from '../../lib/command-outcome.js'

/** By what the account can show the second factor that a sign-in asks for; null when it asks for none. */
export function secondStepMethods(outcome: Outcome<unknown> | null): readonly SecondFactorMethod[] | null {
  if (outcome?.kind !== 'refused' || outcome.error.code !== 'SECOND_FACTOR_REQUIRED') return null
  return (outcome.error.details?.methods ?? []) as SecondFactorMethod[]
}
