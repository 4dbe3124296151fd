import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { EngineProcess } from './engine-process.js'
import { startJaeger } from './jaeger.js'
import { startKafka } from './kafka.js'
import { startRedis } from './redis.js'
import { startS3 } from './s3.js'
import { startStripeMock } from './stripe-mock.js'

const starts: Record<string, (folder: string) => Promise<{ process: EngineProcess }>> = {
  Kafka: startKafka,
  Redis: startRedis,
  S3: startS3,
  'Stripe’s mock': startStripeMock,
  Jaeger: startJaeger,
}

describe.each(Object.entries(starts))('%s', (_, start) => {
  let folder: string
  beforeAll(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-engine-'))
  })
  afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

  it('serves, and serves again after it was killed', async () => {
    const engine = await start(folder)
    await engine.process.kill()
    await expect(engine.process.start()).resolves.toBeUndefined()
    await engine.process.stop()
  })
})
