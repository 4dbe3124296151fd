import { StripeError } from './stripe-error.js'

const MAX_DEPTH = 4
/** Properties without an id that the provider sends only when asked. Here they are always sent. */
const INCLUDABLE: ReadonlySet<string> = new Set(['confirmation_secret', 'payments'])

/** Finds an object by its id, in wire form; undefined when there is none. */
export type Lookup = (id: string) => Record<string, unknown> | undefined

/**
 * Replaces ids by the objects they name, as `expand[]` asks: `latest_charge.balance_transaction`, and through a list
 * `data.latest_charge` (docs.stripe.com/api/expanding_objects).
 *
 * @throws StripeError 400 for a path that names nothing expandable, or is deeper than four
 */
export function expand(object: unknown, paths: readonly string[], lookup: Lookup): unknown {
  return paths.reduce((expanded, path) => {
    const parts = path.split('.')
    if (parts.length > MAX_DEPTH) {
      throw StripeError.invalid(`You cannot expand more than ${MAX_DEPTH} levels of a property: ${path}`, {
        param: 'expand',
      })
    }
    return expandPath(expanded, parts, path, lookup)
  }, object)
}

function expandPath(object: unknown, parts: readonly string[], path: string, lookup: Lookup): unknown {
  const [name, ...rest] = parts
  if (name === undefined || object === null || object === undefined) return object
  if (Array.isArray(object)) return object.map(each => expandPath(each, parts, path, lookup))
  if (typeof object !== 'object' || !Object.hasOwn(object, name)) throw notExpandable(path)
  const value = (object as Record<string, unknown>)[name]
  const found = typeof value === 'string' ? lookup(value) : value
  const isWhole = typeof value === 'object' && value !== null && rest.length === 0 && !('id' in value)
  if (found === undefined || (isWhole && !INCLUDABLE.has(name))) {
    throw notExpandable(path)
  }
  return { ...object, [name]: expandPath(found, rest, path, lookup) }
}

function notExpandable(path: string): StripeError {
  return StripeError.invalid(`This property cannot be expanded (${path}).`, { param: 'expand' })
}
