import { codesOf } from '@holdfast/contracts/error-codes'
import type { RouteDefinition } from '@holdfast/contracts/route'
import { ForeignCaller } from '../auth/admission.js'
import type { Refusal } from './refusal.js'

/** A route refused with a code that its contract does not name, so the API documentation does not name it either. */
export class UndeclaredRefusal extends Error {
  override readonly name = 'UndeclaredRefusal'
}

/** The error of an undeclared refusal; null for an allowed one. Every route may refuse an invalid signature. */
export function findUndeclared(route: RouteDefinition, error: unknown, { code }: Refusal): UndeclaredRefusal | null {
  if (error instanceof ForeignCaller || codesOf(route).includes(code)) return null
  return new UndeclaredRefusal(
    `${route.method} ${route.path} refused with ${code}, which its contract does not declare`,
    {
      cause: error,
    },
  )
}
