import { MAX_ANONYMOUS_TEXT_BYTES, MAX_WEBHOOK_BYTES } from '@holdfast/kernel/requests'
import { maxBodyBytesOf, type RouteDefinition } from './route.js'
import { publicRoutes } from './routes.js'
import { isWebhook } from './webhooks.js'

const routes: readonly RouteDefinition[] = Object.values(publicRoutes)

describe.each(routes.filter(isWebhook))('$path', webhook => {
  it('says how large a body may be, and refuses an address with too many bad signatures', () => {
    expect(webhook.bodyLimit).toBeLessThanOrEqual(MAX_WEBHOOK_BYTES)
    expect(webhook.errors).toEqual(expect.arrayContaining(['WEBHOOK_SIGNATURE_INVALID', 'RATE_LIMITED']))
  })
})

test('a body that may be sent without a session is small', () => {
  const anonymous = routes.filter(
    route => !isWebhook(route) && (route.access === 'public' || route.access === 'visitor'),
  )
  expect(anonymous.length).toBeGreaterThan(20)
  for (const route of anonymous) expect(maxBodyBytesOf(route)).toBeLessThanOrEqual(MAX_ANONYMOUS_TEXT_BYTES)
})
