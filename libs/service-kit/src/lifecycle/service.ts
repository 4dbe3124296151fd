import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ServiceName } from '@holdfast/contracts/route'
import { type DynamicModule, Module, type Type } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import type { NestFastifyApplication } from '@nestjs/platform-fastify'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import { type Identify, identifyBySignature } from '../auth/admission.js'
import { createAdapter, type ServiceAdapter } from '../http/adapter.js'
import { installBatchEndpoint } from '../http/batch-endpoint.js'
import { ErrorFilter } from '../http/error-filter.js'
import { type AnswerHeaders, installHttpHooks, type RequestLogLevel } from '../http/http-hooks.js'
import { RequestsUnderWay } from '../http/requests-under-way.js'
import { RouteTable } from '../http/route-table.js'
import { loggerOf, nameLogs } from '../telemetry/logging.js'
import { collectProcessMetrics } from '../telemetry/metrics.js'
import { NestLog } from '../telemetry/nest-log.js'
import { startTelemetry, stopTelemetry } from '../telemetry/telemetry.js'
import { Clock } from './clock.js'
import { type baseShape, CONFIG } from './config.js'
import { Drain } from './drain.js'
import { Health, type HealthCheck } from './health.js'
import { installHealth, startOpsListener } from './ops-listener.js'

/**
 * How long a service still accepts connections after its readiness has ended. They come from the system's queue, and from
 * clients that have not seen the end of readiness yet.
 */
const DRAIN_NOTICE_MS = 300

export type BaseConfig = Readonly<z.output<z.ZodObject<typeof baseShape>>>

/** A consumer of events: Nest's custom transport strategy. */
export interface Strategy {
  listen(callback: (...results: unknown[]) => unknown): unknown
  close(): unknown
}

export interface ServiceOptions {
  readonly name: ServiceName
  readonly module: Type | DynamicModule
  readonly config: BaseConfig
  readonly checks?: readonly HealthCheck[]
  /** Event consumers, made once the module's providers exist; they start before the service listens. */
  readonly strategies?: (app: NestFastifyApplication) => readonly Strategy[]
  /** Adds Fastify routes and hooks before the service listens. */
  readonly configure?: (app: NestFastifyApplication, fastify: FastifyInstance) => void | Promise<void>
  /** Identifies the caller of a request. When left out, the signed header does; only the gateway differs. */
  readonly identify?: Identify
  /** Headers of every answer, refusals included. */
  readonly answerHeaders?: AnswerHeaders
  /** At which level an ordinary request is logged: the gateway logs every one, the services behind it do not. */
  readonly requestLogLevel?: RequestLogLevel
  /** Networks whose X-Forwarded-For is trusted; none when left out. */
  readonly trustedProxies?: readonly string[]
}

export interface RunningService {
  readonly app: NestFastifyApplication
  readonly port: number
  readonly opsPort: number
  /** Accepts no new work, finishes the running work, and closes every connection. */
  close(): Promise<void>
}

/** The kit's own providers, for every module of the service: `CONFIG`, `Clock`, `Drain`, `Health`. */
@Module({})
class KitModule {}

function kitModule(config: BaseConfig, drain: Drain, health: Health): DynamicModule {
  return {
    module: KitModule,
    global: true,
    providers: [
      { provide: CONFIG, useValue: config },
      Clock,
      { provide: Drain, useValue: drain },
      { provide: Health, useValue: health },
    ],
    exports: [CONFIG, Clock, Drain, Health],
  }
}

@Module({})
class RootModule {}

/** Starts a service within this process. `bootService` and tests call it. */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const { name, config } = options
  const begun = performance.now()
  nameLogs(name)
  await startTelemetry(name, config)
  collectProcessMetrics(name)
  const drain = new Drain()
  const health = new Health(drain)
  for (const check of options.checks ?? []) health.add(check)
  const ops = await startOpsListener(config.HOST, config.OPS_PORT, health)
  const adapter = createAdapter(options.trustedProxies)
  const app = await createApp(options, adapter, drain, health)
  const strategies = options.strategies?.(app) ?? []
  for (const strategy of strategies) app.connectMicroservice({ strategy })
  await app.startAllMicroservices()
  adapter.watch()
  await app.listen(config.PORT, config.HOST)
  health.started()
  const running = { app, port: portOf(app.getHttpServer() as Server), opsPort: portOf(ops) }
  const ms = Math.round(performance.now() - begun)
  loggerOf('boot').info({ port: running.port, opsPort: running.opsPort, ms }, `${name} is ready`)
  return { ...running, close: () => close({ app, adapter, ops, drain, strategies }) }
}

async function createApp(
  options: ServiceOptions,
  adapter: ServiceAdapter,
  drain: Drain,
  health: Health,
): Promise<NestFastifyApplication> {
  const root = { module: RootModule, imports: [kitModule(options.config, drain, health), options.module] }
  const app = await NestFactory.create<NestFastifyApplication>(root, adapter, {
    logger: new NestLog(),
    bodyParser: false,
    abortOnError: false,
  })
  const fastify = adapter.getInstance()
  const routes = new RouteTable()
  const identify =
    options.identify ?? identifyBySignature(options.name, options.config.ACTOR_KEYS, app.get(Clock, { strict: false }))
  const requestLogLevel = options.requestLogLevel ?? 'debug'
  installHttpHooks(fastify, {
    identify,
    drain,
    routes,
    requestLogLevel,
    answerHeaders: options.answerHeaders,
    isEdge: options.identify !== undefined,
    underWay: options.identify ? undefined : new RequestsUnderWay(options.config.MAX_REQUESTS_UNDER_WAY),
  })
  const errors = new ErrorFilter(routes, options.config.NODE_ENV === 'test')
  app.useGlobalFilters(errors)
  // This also covers routes that are not registered by Nest; see the adapter.
  fastify.setErrorHandler((error, request, reply) => errors.answer(error, request, reply))
  if (!options.identify) installBatchEndpoint(fastify, { errors, requestLogLevel })
  installHealth(fastify, health)
  await options.configure?.(app, fastify)
  await app.init()
  return app
}

interface Closing {
  readonly app: NestFastifyApplication
  readonly adapter: ServiceAdapter
  readonly ops: Server
  readonly drain: Drain
  readonly strategies: readonly Strategy[]
}

async function close({ app, adapter, ops, drain, strategies }: Closing): Promise<void> {
  if (drain.draining) return
  drain.begin()
  // A consumer that cannot be closed must not cut off the running requests, so its error is thrown at the end.
  const consumersClosed = Promise.allSettled(strategies.map(async strategy => strategy.close()))
  await sleep(DRAIN_NOTICE_MS)
  await adapter.takeArrived()
  drain.endConnections()
  const [consumers] = await Promise.all([consumersClosed, adapter.stopListening()])
  await app.close()
  await stopTelemetry()
  ops.closeAllConnections()
  await new Promise(resolve => ops.close(resolve))
  for (const closed of consumers) if (closed.status === 'rejected') throw closed.reason
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port
