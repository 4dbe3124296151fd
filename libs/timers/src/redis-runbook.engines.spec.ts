import { execFile } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { type RedisEngine, startRedis } from '@holdfast/engines/redis'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const run = promisify(execFile)
const RUNBOOK = path.join(import.meta.dirname, '../../../docs/runbooks/redis-is-away.md')

describe('the commands of the runbook about Redis', () => {
  let folder: string
  let engine: RedisEngine
  let client: Redis
  beforeAll(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-redis-runbook-'))
    engine = await startRedis(folder, 'allkeys-lru')
    client = new Redis(engine.url)
  })
  afterAll(async () => {
    client.disconnect()
    await engine.process.stop()
    fs.rmSync(folder, { recursive: true, force: true })
  })

  it('show how Redis is, correct its policy, and remove the alarms and nothing else', async () => {
    await client.mset('holdfast:timers:escrow-svc:meta', '1', 'holdfast:timers:listing-svc:1', '1', 'another', '1')
    const text = fs.readFileSync(RUNBOOK, 'utf8')
    const blocks = [...text.matchAll(/^ *```sh\n(.*?)^ *```/gms)].map(([, block = '']) => block)
    const answers: string[] = []
    for (const block of blocks) {
      const env = { ...process.env, REDIS_URL: engine.url }
      answers.push((await run('sh', ['-euc', block], { env })).stdout)
    }
    expect(answers).toHaveLength(4)
    expect(answers[0]).toMatch(/^PONG\n.*maxmemory_policy:allkeys-lru.*role:master/s)
    expect(await client.info('memory')).toContain('maxmemory_policy:noeviction')
    expect(await client.keys('*')).toEqual(['another'])
    expect(answers[3]).toMatch(/cmd=client.*redis_version:/s)
  })
})
