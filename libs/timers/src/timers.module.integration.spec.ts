import { setTimeout as sleep } from 'node:timers/promises'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { Global, Injectable, Module, type OnModuleInit } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ScratchDeadlines } from '../test/scratch-deadlines.js'
import { Timers } from './timers.js'
import { timersModule } from './timers.module.js'

describe('the timers module', () => {
  let scratch: ScratchDeadlines
  beforeAll(async () => {
    scratch = await ScratchDeadlines.make()
  })
  afterAll(() => scratch.drop())

  it('runs its sources from the start of the application to its end', async () => {
    @Injectable()
    class Sources implements OnModuleInit {
      constructor(private readonly timers: Timers) {}
      onModuleInit(): void {
        this.timers.add(scratch.source())
      }
    }
    const config = { provide: CONFIG, useValue: { DATABASE_URL: scratch.roleUrl } }
    @Global()
    @Module({ providers: [config], exports: [CONFIG] })
    class ConfigModule {}
    @Module({ imports: [ConfigModule, timersModule({ service: 'escrow-svc' })], providers: [Sources] })
    class AppModule {}
    await scratch.set('a', -1_000_000)
    const app = await NestFactory.createApplicationContext(AppModule, { logger: false })
    const until = Date.now() + 3_000
    while ((await scratch.row('a')).fires === 0 && Date.now() < until) await sleep(20)
    expect((await scratch.row('a')).fires).toBe(1)
    await app.close()
    const role = new URL(scratch.roleUrl).username
    // PostgreSQL lists a closed connection for a moment longer.
    const open = () => scratch.admin.query('SELECT 1 FROM pg_stat_activity WHERE usename = $1', [role])
    const gone = Date.now() + 3_000
    while ((await open()).rowCount !== 0 && Date.now() < gone) await sleep(20)
    expect((await open()).rowCount).toBe(0)
  })

  it('connects to nothing when there is no source', async () => {
    const timers = new Timers({ service: 'escrow-svc', databaseUrl: 'postgres://nobody@127.0.0.1:1/none' })
    timers.start()
    timers.notice('deadline', 'a', new Date())
    await timers.stop()
  })
})
