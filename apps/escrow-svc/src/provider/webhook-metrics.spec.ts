import { DomainError } from '@holdfast/kernel/errors'
import { registry } from '@holdfast/service-kit/telemetry/metrics'
import { countedWebhook } from './webhook-metrics.js'

const count = async (outcome: string): Promise<number> => {
  const line = new RegExp(`^escrow_webhooks_total\\{.*sender="stripe",outcome="${outcome}".*\\} (\\d+)$`, 'm')
  return Number(line.exec(await registry.metrics())?.[1] ?? Number.NaN)
}

it('a webhook that was handled counts as handled', async () => {
  const before = await count('handled')
  expect(await countedWebhook('stripe', 't=1,v1=00', async () => {})).toEqual({ received: true })
  expect(await count('handled')).toBe(before + 1)
})

it.each([
  ['signature_invalid', 't=1,v1=00', new DomainError('WEBHOOK_SIGNATURE_INVALID')],
  ['unsigned', undefined, new DomainError('WEBHOOK_SIGNATURE_INVALID')],
  ['unreadable', 't=1,v1=00', new DomainError('MALFORMED_REQUEST')],
  ['failed', 't=1,v1=00', new DomainError('UNAVAILABLE')],
  ['failed', 't=1,v1=00', new Error('a fault of ours')],
])('one that is not handled counts as %s and is refused as before', async (outcome, signature, error) => {
  const before = await count(outcome)
  await expect(countedWebhook('stripe', signature, () => Promise.reject(error))).rejects.toBe(error)
  expect(await count(outcome)).toBe(before + 1)
})
