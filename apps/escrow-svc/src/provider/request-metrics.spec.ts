import { registry } from '@holdfast/service-kit/telemetry/metrics'
import { measured, templateOf } from './request-metrics.js'

const count = async (provider: string, outcome: string): Promise<number> => {
  const line = new RegExp(
    `^provider_request_duration_seconds_count\\{.*provider="${provider}",outcome="${outcome}".*\\} (\\d+)$`,
    'm',
  )
  return Number(line.exec(await registry.metrics())?.[1] ?? Number.NaN)
}

it.each([
  [200, 'ok'],
  [402, 'refused'],
  [401, 'failed'],
  [429, 'failed'],
  [503, 'failed'],
])('an answer with the status %s counts as %s', async (status, outcome) => {
  const before = await count('coinify', outcome)
  await measured(
    { provider: 'coinify', method: 'GET', path: '/' },
    async () => ({ status }),
    answer => answer.status,
  )
  expect(await count('coinify', outcome)).toBe(before + 1)
})

it('a request without an answer is counted and throws', async () => {
  const before = await count('carrier', 'no_answer')
  const send = () => Promise.reject(new Error('no connection'))
  const request = { provider: 'carrier', method: 'GET', path: '/' } as const
  await expect(measured(request, send, () => 200)).rejects.toThrow('no connection')
  expect(await count('carrier', 'no_answer')).toBe(before + 1)
})

it('every provider and outcome is shown before the first request, so that the first failure is a growth', async () => {
  for (const provider of ['stripe', 'coinify', 'carrier'])
    for (const outcome of ['ok', 'refused', 'failed', 'no_answer'])
      expect(await count(provider, outcome)).toBeGreaterThanOrEqual(0)
})

it.each([
  ['/v1/payment_intents', '/v1/payment_intents'],
  ['/v1/payment_intents/pi_3Pq/cancel?expand[0]=latest_charge', '/v1/payment_intents/{id}/cancel'],
  ['/v1/accounts/acct_1x/external_accounts/ba_2y', '/v1/accounts/{id}/external_accounts/{id}'],
  ['/v1/customers/search?query=email:"ana@example.com"', '/v1/customers/search'],
])('the path %s is recorded as %s', (path, template) => {
  expect(templateOf(path)).toBe(template)
})
