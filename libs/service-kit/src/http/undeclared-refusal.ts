import { codesOf } from '@holdfast/contracts/error-codes'
import type { RouteDefinition } from '@holdfast/contracts/route'
import { ForeignCaller } from '../auth/admission.js'
import type { Refusal } from './refusal.js'

/** A route refused with a code that its contract does not name, so that the documentation does not either. */
export class UndeclaredRefusal extends Error {
  override readonly name = 'UndeclaredRefusal'
}

/** What is wrong with a refusal, if its route may not answer so. That a caller is none of ours is no contract's business. */
export function findUndeclared(route: RouteDefinition, error: unknown, { code }: Refusal): UndeclaredRefusal | null {
  if (error instanceof ForeignCaller || codesOf(route).includes(code)) return null
  return new UndeclaredRefusal(
    `${route.method} ${route.path} refused with ${code}, which its contract does not declare`,
    {
      cause: error,
    },
  )
}
