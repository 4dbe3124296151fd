import type { RouteDefinition } from '@holdfast/contracts/route'
import { publicRoutes } from '@holdfast/contracts/routes'
import { z } from 'zod'
import { schemaOf } from './openapi.js'

/** Values that a client could make up for a field from a description that is not strict. */
const MADE_UP: readonly unknown[] = [
  '',
  ' ',
  '   ',
  'x',
  ' x ',
  'a b',
  'x'.repeat(60),
  'x'.repeat(10_000),
  'not an address',
  'a@b',
  'ana@example.com',
  ' ana@example.com',
  '0',
  '01',
  '-1',
  '1e3',
  '1.5',
  '1.',
  '٣',
  '12.3456789012345678901',
  '00000000-0000-0000-0000-00000000000',
  'active',
  '2026-13-40T00:00:00Z',
  0,
  1,
  -1,
  1.5,
  4,
  1e21,
  1e-7,
  Number.MAX_SAFE_INTEGER,
  Number.MAX_SAFE_INTEGER + 2,
  true,
  null,
  [],
  ['x'],
  {},
]

/** Every field of a request: those of its path, query, headers and body. */
const fields = Object.entries<RouteDefinition>(publicRoutes).flatMap(([name, route]) =>
  (['params', 'query', 'headers', 'body'] as const).flatMap(part => {
    const schema = route[part]
    if (!(schema instanceof z.ZodObject)) return []
    return Object.entries<z.ZodType>(schema.shape).map(([field, type]) => ({
      at: `${name} ${part}.${field}`,
      part,
      type,
    }))
  }),
)

/** A number in a path is sent as text. */
const asSent = (value: unknown, part: string) =>
  part === 'params' && typeof value === 'number' ? String(value) : value

describe('the description of a request', () => {
  it('covers every route with an input', () => {
    expect(fields.length).toBeGreaterThan(60)
  })

  it.each(fields)('is as strict as the code: $at', ({ part, type }) => {
    const described = z.fromJSONSchema(schemaOf(type, 'input') as Parameters<typeof z.fromJSONSchema>[0])
    const refused = MADE_UP.filter(
      value => described.safeParse(value).success && !type.safeParse(asSent(value, part)).success,
    )
    expect(refused).toEqual([])
  })
})
