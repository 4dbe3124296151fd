import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { startRedis } from '@holdfast/engines/redis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { blocksOf, RUNBOOKS } from './runbooks.js'

const BLOCKS = blocksOf(RUNBOOKS['redis-is-away.md'], 'sh').map(block => block.replace(/^ +/gm, ''))

describe('the commands of the runbook of Redis', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-runbook-'))
  let redis

  beforeAll(async () => {
    // It may evict keys, as in the runbook.
    redis = await startRedis(folder, 'allkeys-lru')
  })
  afterAll(async () => {
    await redis.process.stop()
    fs.rmSync(folder, { recursive: true })
  })

  const run = script => {
    const env = { ...process.env, REDIS_URL: redis.url }
    const { status, stdout, stderr } = spawnSync('bash', ['-eo', 'pipefail'], { input: script, env, encoding: 'utf8' })
    expect({ script, status, stderr }).toEqual({ script, status: 0, stderr: '' })
    return stdout
  }

  it('say what Redis is, mend its policy, and remove the alarms and nothing else', () => {
    run('redis-cli -u "$REDIS_URL" mset holdfast:timers:a 1 another 2')
    const outputs = BLOCKS.map(run)
    expect(outputs.join('')).not.toMatch(/^ERR|WRONGTYPE|NOAUTH/m)
    expect(outputs[0]).toContain('PONG')
    expect(outputs[0]).toContain('maxmemory_policy:allkeys-lru')
    expect(run('redis-cli -u "$REDIS_URL" config get maxmemory-policy')).toContain('noeviction')
    expect(run('redis-cli -u "$REDIS_URL" keys "*"').trim()).toBe('another')
  })
})
