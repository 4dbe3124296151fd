import { setImmediate } from 'node:timers/promises'
import { registry } from '@holdfast/service-kit/telemetry/metrics'
import type { DataSource } from 'typeorm'
import { MailMetrics } from './mail-metrics.js'

it('shows at a scrape how many mails wait, and for how long, as they are now', async () => {
  const query = async () => {
    await setImmediate()
    return [{ n: 2, age: 40 }]
  }
  new MailMetrics({ query } as unknown as DataSource)
  const scrape = await registry.getMetricsAsJSON()
  const measured = (name: string) => scrape.find(metric => metric.name === name)?.values[0]?.value
  expect([measured('mails_waiting'), measured('mail_oldest_waiting_seconds')]).toEqual([2, 40])
})
