import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { startRedis } from '@holdfast/engines/redis'
import { Redis } from 'ioredis'
import { timersContract } from '../test/timers-contract.js'

timersContract('timers with a queue in Redis', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-timers-'))
  const engine = await startRedis(folder)
  const client = new Redis(engine.url)
  return {
    redis: { url: engine.url, refusesEviction: true },
    empty: async () => {
      const jobs = await client.keys('holdfast:timers:escrow-svc:deadline-*')
      await client.flushall()
      return jobs.length
    },
    close: async () => {
      client.disconnect()
      await engine.process.stop()
      fs.rmSync(folder, { recursive: true, force: true })
    },
  }
})
