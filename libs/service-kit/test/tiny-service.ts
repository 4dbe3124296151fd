import { setTimeout as sleep } from 'node:timers/promises'
import { route } from '@holdfast/contracts/route'
import { DomainError } from '@holdfast/kernel/errors'
import { Controller, Inject, Module } from '@nestjs/common'
import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm'
import { z } from 'zod'
import { POOL_SIZE } from '../src/database/connection-limits.js'
import { databaseModule } from '../src/database/database.module.js'
import { type Ctx, Route } from '../src/http/route.js'
import { bootService } from '../src/lifecycle/boot.js'
import { baseShape, databaseShape, loadConfig, parseConfig } from '../src/lifecycle/config.js'
import type { ServiceOptions } from '../src/lifecycle/service.js'
import { loggerOf } from '../src/telemetry/logging.js'

export const SCHEMA = 'listing'
/** Longer than the drain still accepts connections, so that the request is running when the drain begins. */
const SLOW_MS = 700
/** What the slow route waits for instead of its usual time, when a test sets it. */
export const slowAnswers: { heldUntil?: Promise<void> | undefined } = {}

const Thing = z.object({ id: z.number().int(), name: z.string(), tags: z.array(z.string()) })
const id = z
  .string()
  .regex(/^[1-9]\d{0,8}$/)
  .transform(Number)

export const routes = {
  getThing: route({
    method: 'GET',
    path: '/api/things/{id}',
    access: 'public',
    batched: true,
    summary: 'One thing',
    params: z.object({ id }),
    response: Thing,
  }),
  makeThing: route({
    method: 'POST',
    path: '/api/things',
    access: 'user',
    batched: true,
    summary: 'Make a thing',
    status: 201,
    query: z.object({ dry: z.enum(['yes', 'no']).optional() }),
    body: z.object({
      name: z.string().min(1, 'Required').max(20),
      count: z.number().int().max(1000).optional(),
      tags: z
        .array(z.object({ label: z.string() }))
        .max(3)
        .optional(),
      extra: z.record(z.string(), z.unknown()).optional(),
    }),
    response: Thing,
  }),
  slowThing: route({
    method: 'GET',
    path: '/api/slow',
    access: 'public',
    batched: true,
    summary: 'Takes its time',
    response: z.object({ done: z.boolean() }),
  }),
  countRows: route({
    method: 'GET',
    path: '/api/rows',
    access: 'public',
    summary: 'Asks the database',
    response: z.object({ rows: z.number() }),
  }),
  whoAmI: route({
    method: 'GET',
    path: '/api/me',
    access: 'visitor',
    batched: true,
    summary: 'Who is signed in',
    response: z.object({ id: z.string().nullable(), requestId: z.string(), ip: z.string().nullable() }),
  }),
  onlyAdmin: route({
    method: 'DELETE',
    path: '/api/things/{id}',
    access: 'admin',
    summary: 'x',
    status: 204,
    params: z.object({ id }),
  }),
  freeze: route({
    method: 'POST',
    path: '/internal/freeze',
    access: { internal: ['dispute-svc'] },
    summary: 'Between services',
    response: z.object({ by: z.string() }),
  }),
  misfit: route({
    method: 'GET',
    path: '/api/misfit',
    access: 'public',
    batched: true,
    summary: 'Answers what it must not',
    response: z.object({ amount: z.string() }),
  }),
  fault: route({
    method: 'GET',
    path: '/api/fault',
    access: 'public',
    batched: true,
    summary: 'Breaks',
    response: z.object({}),
  }),
  refusal: route({
    method: 'GET',
    path: '/api/refusal',
    access: 'public',
    batched: true,
    summary: 'Refuses',
    response: z.object({}),
    errors: ['ESCROW_WRONG_STATE'],
  }),
  hook: route({
    method: 'POST',
    path: '/api/hook',
    access: 'public',
    batched: true,
    summary: 'Reads the bytes',
    handling: 'raw',
    bodyLimit: 2048,
  }),
  webhook: route({
    method: 'POST',
    path: '/api/webhooks/tiny',
    access: 'public',
    batched: true,
    summary: 'Takes its time, too',
    handling: 'raw',
  }),
} as const

@Controller()
class ThingsController {
  @Route(routes.getThing)
  getThing({ params }: { params: { id: number } }) {
    return { id: params.id, name: 'thing', tags: [], passwordHash: 'never to be seen' }
  }

  @Route(routes.makeThing)
  makeThing({ body }: { body: { name: string } }) {
    return { id: 1, name: body.name, tags: [] }
  }

  @Route(routes.slowThing)
  async slowThing() {
    loggerOf('tiny').info('takes its time')
    await (slowAnswers.heldUntil ?? sleep(SLOW_MS))
    return { done: true }
  }

  @Route(routes.whoAmI)
  async whoAmI(_: unknown, ctx: Ctx<typeof routes.whoAmI>) {
    await sleep(1)
    loggerOf('tiny').info('asked who they are')
    return { id: ctx.actor?.id ?? null, requestId: ctx.requestId, ip: ctx.clientIp }
  }

  @Route(routes.onlyAdmin)
  onlyAdmin(): void {}

  @Route(routes.freeze)
  freeze(_: unknown, ctx: Ctx<typeof routes.freeze>) {
    return { by: ctx.actor.kind === 'service' ? ctx.actor.name : ctx.actor.id }
  }

  @Route(routes.misfit)
  misfit() {
    return { amount: 12.5 as unknown as string }
  }

  @Route(routes.fault)
  fault(): never {
    throw new Error('the secret recipe')
  }

  @Route(routes.refusal)
  refusal(): never {
    throw new DomainError('ESCROW_WRONG_STATE', { from: 'pending', allowed: ['paid'] })
  }

  @Route(routes.webhook)
  async webhook() {
    await (slowAnswers.heldUntil ?? sleep(SLOW_MS))
    return { done: true }
  }

  @Route(routes.hook)
  hook(_: unknown, ctx: Ctx<typeof routes.hook>) {
    const bytes = ctx.request.body as Buffer
    return { length: bytes.length, text: bytes.toString(), key: ctx.idempotencyKey }
  }
}

@Controller()
class RowsController {
  constructor(@Inject(DataSource) private readonly database: DataSource) {}

  @Route(routes.countRows)
  async countRows() {
    const rows: unknown[] = await this.database.query('select * from thing')
    return { rows: rows.length }
  }
}

export class MakeThings1700000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('create table thing (id bigint generated always as identity primary key, name text not null)')
    await runner.query('create table journal_entry (id bigint generated always as identity primary key, amount bigint)')
  }
  async down(): Promise<void> {}
}

@Module({ controllers: [ThingsController] })
class ThingsModule {}

/** A service of every kind of route. */
export function tinyService(env: NodeJS.ProcessEnv): ServiceOptions {
  return { name: 'listing-svc', module: ThingsModule, config: parseConfig(baseShape, env) }
}

/** The same service with a database of one table. */
export function tinyServiceWithDatabase(env: NodeJS.ProcessEnv): ServiceOptions {
  const config = parseConfig({ ...baseShape, ...databaseShape }, env)
  const database = databaseModule({
    service: 'listing-svc',
    schema: SCHEMA,
    entities: [],
    migrations: [MakeThings1700000000001],
    connections: POOL_SIZE,
  })
  @Module({ imports: [database, ThingsModule], controllers: [RowsController] })
  class RowsModule {}
  return { name: 'listing-svc', module: RowsModule, config }
}

if (process.argv[2] === 'boot') {
  // `tinyServiceWithDatabase` throws for an invalid environment. `loadConfig` ends the process, as in a real `main.ts`.
  loadConfig({ ...baseShape, ...databaseShape })
  await bootService(tinyServiceWithDatabase(process.env))
}
