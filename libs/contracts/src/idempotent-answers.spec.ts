import { z } from 'zod'
import type { RouteDefinition } from './route.js'
import { publicRoutes, ROUTES_BY_SERVICE } from './routes.js'

/** The names of fields that may hold a secret, or lead whoever has them to something of another person. */
const SECRET_NAMES = /secret|token|password|code$|link$|^url$|onboarding|redirect/i

function fieldsIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([key, value]) =>
    key === 'properties' && typeof value === 'object' && value !== null
      ? [...Object.keys(value), ...Object.values(value).flatMap(fieldsIn)]
      : fieldsIn(value),
  )
}

/** The services that keep the answers of requests with a key. A client may send a key with every write. */
const KEEPERS = ['listing-svc', 'escrow-svc', 'dispute-svc', 'messaging-svc'] as const

/** The answers of these are not kept: they are made anew, and of the first two the ids in them are kept. */
const MADE_ANEW: Record<string, string[]> = {
  createPayment: ['clientSecret', 'redirectUrl'],
  createInvitation: ['token', 'url'],
  resendInvitation: ['token', 'url'],
  createSubscription: ['clientSecret'],
  setUpPaymentMethod: ['clientSecret'],
  putPayoutAccount: ['onboardingUrl'],
}
/** The addresses of pictures, which only those who may see them get, with their sessions. */
const NO_SECRETS: Record<string, string[]> = {
  addEvidence: ['url'],
  postMessage: ['url'],
}

test('an answer that may be kept for an idempotency key has no field for a secret', () => {
  const kept = new Set<RouteDefinition>(KEEPERS.flatMap(service => ROUTES_BY_SERVICE[service] ?? []))
  const writes = Object.entries<RouteDefinition>(publicRoutes).filter(
    ([, route]) => kept.has(route) && route.method !== 'GET',
  )
  expect(writes.length).toBeGreaterThan(40)
  const found = writes.flatMap(([name, { response }]) => {
    const schema = response ? z.toJSONSchema(response, { io: 'input', unrepresentable: 'any' }) : {}
    const fields = [...new Set(fieldsIn(schema))].filter(field => SECRET_NAMES.test(field))
    return fields.length > 0 ? [[name, fields]] : []
  })
  expect(Object.fromEntries(found)).toEqual({ ...MADE_ANEW, ...NO_SECRETS })
})
