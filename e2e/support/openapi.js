import assert from 'node:assert/strict'
import { Person } from './person.js'

/** One operation of the API, as `/api/openapi.json` describes it. */
export class Operation {
  constructor(method, path, { operationId, security, parameters = [], requestBody, responses }) {
    this.method = method.toUpperCase()
    this.path = path
    this.id = operationId
    this.parameters = parameters
    this.needsSession = security.length > 0 && !security.some(each => Object.keys(each).length === 0)
    this.isForAdmins = path.startsWith('/api/admin/')
    this.body = requestBody?.content['application/json']?.schema ?? null
    this.success = Number(Object.keys(responses).find(status => status.startsWith('2')))
  }

  get changes() {
    return this.method !== 'GET'
  }

  get name() {
    return `${this.method} ${this.path}`
  }

  /** The path with its parameters filled in. */
  at(values) {
    return this.path.replace(/\{(\w+)\}/g, (_, name) => {
      const value = typeof values === 'function' ? values(name) : values[name]
      assert.ok(value !== undefined, `${this.name} has a parameter ${name} that no journey knows`)
      return encodeURIComponent(value)
    })
  }
}

/** Every operation of the running product, from `/api/openapi.json`. */
export async function operations() {
  const { paths } = await new Person().expect(200, 'GET', '/api/openapi.json')
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => new Operation(method, path, operation)),
  )
}

/** An id of nothing. */
export const UNKNOWN_ID = '01900000-0000-7000-8000-000000000000'

/** A valid value for a JSON schema. `known` has the values, by field name, that cannot be derived from the schema. */
export function example(schema, known = {}, name = '') {
  const choices = schema.const === undefined ? schema.enum : [schema.const]
  if (Object.hasOwn(known, name) && (!choices || choices.includes(known[name]))) return known[name]
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.anyOf) return example(schema.anyOf[0], known, name)
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  if (type === 'object')
    return Object.fromEntries(
      Object.entries(schema.properties ?? {})
        .filter(([field]) => schema.required?.includes(field) || Object.hasOwn(known, field))
        .map(([field, each]) => [field, example(each, known, field)]),
    )
  if (type === 'array') return Array.from({ length: schema.minItems ?? 0 }, () => example(schema.items, known))
  if (type === 'integer' || type === 'number') return Math.max(schema.minimum ?? 1, 1)
  if (type === 'boolean') return true
  if (schema.format === 'uuid') return UNKNOWN_ID
  return 'Something to say'
}

const typeOf = value => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value)

/**
 * Whether a JSON schema certainly does not allow a value. It looks at types, sets of values and bounds, and not inside arrays
 * and objects.
 */
export function violates(schema, value) {
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return choices.every(choice => violates(choice, value))
  if (schema.const !== undefined) return value !== schema.const
  if (schema.enum) return !schema.enum.includes(value)
  const types = [schema.type ?? []].flat().map(type => (type === 'integer' ? 'number' : type))
  if (types.length > 0 && !types.includes(typeOf(value))) return true
  if (typeof value === 'string') return violatesText(schema, value)
  if (typeof value === 'number') return value < (schema.minimum ?? -Infinity) || value > (schema.maximum ?? Infinity)
  return false
}

const violatesText = ({ minLength = 0, maxLength = Infinity, pattern = '' }, text) =>
  text.length < minLength || text.length > maxLength || !new RegExp(pattern, 'u').test(text)
