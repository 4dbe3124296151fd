import { SERVICES, type ServiceName } from '@holdfast/contracts/topology'
import { REAL_DAY_SECONDS } from '@holdfast/kernel/clocks'
import { PAYMENT_METHODS } from '@holdfast/kernel/payments'
import { z } from 'zod'
import { parseActorKeys } from '../auth/actor-keys.js'
import { MAX_WAITING } from '../database/batch-calls.js'
import { eventsRefusals, eventsShape, MISSING } from './kafka-config.js'

/**
 * Injection token of the service's configuration, for every module of the service:
 * `constructor(@Inject(CONFIG) private readonly config: EscrowConfig)`.
 */
export const CONFIG = Symbol('configuration')

const postgresUrl = () => z.url({ protocol: /^postgres(ql)?$/ })
const port = () => z.coerce.number('Must be a port number').int().min(0).max(65_535)

/** The variables of every process. Services spread them into their own shape. */
export const baseShape = {
  NODE_ENV: z.enum(['development', 'test', 'production']).default('development'),
  ...eventsShape,
  HOST: z.string().default('127.0.0.1'),
  PORT: port(),
  OPS_PORT: port(),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  ACTOR_KEYS: z
    .string()
    .default('{}')
    .transform((text, issues) => {
      const keys = parseActorKeys(text)
      if (typeof keys !== 'string') return keys
      issues.addIssue({ code: 'custom', message: keys })
      return z.NEVER
    }),
  /**
   * The most requests whose handlers run at the same time in a service behind the gateway. Further ones get 503. The default is what
   * escrow-svc carries out within about a second, and what may wait for a statement (`MAX_WAITING`).
   */
  MAX_REQUESTS_UNDER_WAY: z.coerce.number().int().min(1).default(MAX_WAITING),
  /** The collector of traces. Without it nothing is recorded. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  /** The share of the traces that are recorded. Where a trace begins decides; the other processes follow. */
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number('Must be a number').min(0).max(1).default(1),
}

const MOST_REPLICAS = 1_000
const replicas = z.record(z.enum(SERVICES), z.number().int().min(1).max(MOST_REPLICAS))
const NOT_REPLICAS = `must be JSON that names a whole number from 1 to ${MOST_REPLICAS} for each of ${SERVICES.join(', ')}`

/** Undefined for a text that is no JSON. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return undefined
  }
}

/** For services with a database. */
export const databaseShape = {
  /** The login of the service's own role. */
  DATABASE_URL: postgresUrl(),
  /** The same login at the server itself, when DATABASE_URL leads to a pooler that gives out connections by transaction. */
  DATABASE_DIRECT_URL: postgresUrl().optional(),
  /** The most sessions that the pooler opens at the server for each role: its `default_pool_size`, times the poolers that run. */
  POOLER_CONNECTIONS: z.coerce.number('Must be a number').int().min(1).optional(),
  /** How many replicas of each service may run at the same time: `{"gateway":7,"identity-svc":7,…}`. One of each, when it is not set. */
  REPLICAS: z
    .string()
    .default(() => JSON.stringify(Object.fromEntries(SERVICES.map(name => [name, 1]))))
    .transform((text, issues) => {
      const parsed = replicas.safeParse(jsonOf(text))
      if (parsed.success) return parsed.data
      issues.addIssue({ code: 'custom', message: NOT_REPLICAS })
      return z.NEVER
    }),
}

/** For services that read from a replica, too. */
export const readReplicaShape = {
  /** The same login at a hot standby of the server, without a pooler. */
  DATABASE_READ_URL: postgresUrl().optional(),
}

/** The part of a configuration that code with a database connection reads. */
export interface DatabaseConfig {
  readonly DATABASE_URL: string
  readonly DATABASE_DIRECT_URL?: string | undefined
  readonly POOLER_CONNECTIONS?: number | undefined
  readonly DATABASE_READ_URL?: string | undefined
  readonly REPLICAS: Readonly<Record<ServiceName, number>>
  readonly NODE_ENV: string
}

/** The addresses of the database, for code that opens connections of its own. */
export type DatabaseUrls = Pick<DatabaseConfig, 'DATABASE_URL' | 'DATABASE_DIRECT_URL'>

/** Whether DATABASE_URL leads to a pooler. */
export const isPooled = ({ DATABASE_DIRECT_URL }: Pick<DatabaseConfig, 'DATABASE_DIRECT_URL'>): boolean =>
  DATABASE_DIRECT_URL !== undefined

/** The URL for whatever needs a session of its own: LISTEN, locks of a session, settings that differ from those of the role. */
export const directUrl = ({ DATABASE_URL, DATABASE_DIRECT_URL }: DatabaseUrls): string =>
  DATABASE_DIRECT_URL ?? DATABASE_URL

/** The direct address and the pooler's sessions are given together: with one of them alone, connections would be counted wrongly. */
function databaseRefusals(config: Partial<DatabaseConfig>): Record<string, string | undefined> {
  const { DATABASE_DIRECT_URL: direct, POOLER_CONNECTIONS: sessions } = config
  return {
    DATABASE_DIRECT_URL: sessions && !direct ? MISSING : undefined,
    POOLER_CONNECTIONS: direct && !sessions ? MISSING : undefined,
  }
}

/** For services that count days. */
export const dayShape = { DAY_SECONDS: z.coerce.number().int().min(1).max(REAL_DAY_SECONDS).default(REAL_DAY_SECONDS) }

/** For services that offer the ways to pay, or name them. */
export const paymentMethodsShape = {
  /** The ways to pay that buyers are offered, with commas between them. Payments that are open already go on. */
  PAYMENT_METHODS: z
    .string()
    .default(PAYMENT_METHODS.join())
    .transform(text => text.split(',').map(method => method.trim()))
    .pipe(z.array(z.enum(PAYMENT_METHODS)).min(1)),
}

type Config<S extends z.ZodRawShape> = Readonly<z.output<z.ZodObject<S>>>
/** Rules between variables, and rules of production. Returns the faults of well-formed variables by name. */
export type Refusals<S extends z.ZodRawShape> = (config: Config<S>) => Record<string, string | undefined>

/** The configuration cannot be used. The message names every variable and what is wrong with it, never its value. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  constructor(readonly variables: Readonly<Record<string, string>>) {
    const lines = Object.entries(variables).map(([name, problem]) => `  ${name}: ${problem}`)
    super(`The configuration is not usable:\n${lines.join('\n')}`)
  }
}

/**
 * Reads the configuration. An empty variable counts as unset. An invalid configuration ends the process with status 1 and
 * one message on stderr, before any connection is made.
 */
export function loadConfig<S extends z.ZodRawShape>(
  shape: S,
  env: NodeJS.ProcessEnv = process.env,
  refusals?: Refusals<S>,
): Config<S> {
  try {
    return parseConfig(shape, env, refusals)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exit(1)
  }
}

/**
 * As `loadConfig`, but throws.
 *
 * @throws ConfigError
 */
export function parseConfig<S extends z.ZodRawShape>(
  shape: S,
  env: NodeJS.ProcessEnv,
  refusals?: Refusals<S>,
): Config<S> {
  const given = Object.fromEntries(Object.keys(shape).map(name => [name, env[name] === '' ? undefined : env[name]]))
  const parsed = z.object(shape).safeParse(given)
  if (!parsed.success) throw new ConfigError(problemsOf(parsed.error, given))
  const config = Object.freeze(parsed.data)
  const refused = {
    ...productionRules(config),
    ...definedOf(eventsRefusals(config)),
    ...definedOf(databaseRefusals(config)),
    ...definedOf(refusals?.(config) ?? {}),
  }
  if (Object.keys(refused).length > 0) throw new ConfigError(refused)
  return config
}

function problemsOf(error: z.ZodError, given: Record<string, unknown>): Record<string, string> {
  const problems: Record<string, string> = {}
  for (const issue of error.issues) {
    const name = String(issue.path[0])
    problems[name] ??= given[name] === undefined ? MISSING : issue.message
  }
  return problems
}

function productionRules(config: Record<string, unknown>): Record<string, string> {
  if (config.NODE_ENV !== 'production') return {}
  const shortDay = config.DAY_SECONDS !== undefined && config.DAY_SECONDS !== REAL_DAY_SECONDS
  const noKeys = config.ACTOR_KEYS instanceof Map && config.ACTOR_KEYS.size === 0
  return {
    ...(shortDay ? { DAY_SECONDS: `must be ${REAL_DAY_SECONDS} in production` } : {}),
    ...(noKeys ? { ACTOR_KEYS: 'must not be empty in production: no service could call another' } : {}),
  }
}

/**
 * Refuses an optional provider of which only a part is configured. Either all of its variables are set, or none, and then it is not offered.
 *
 * @returns for each variable that is missing, which others are set
 */
export function allOrNone(variables: Readonly<Record<string, unknown>>): Record<string, string> {
  const names = Object.keys(variables)
  const set = names.filter(name => variables[name] !== undefined)
  if (set.length === 0) return {}
  const missing = names.filter(name => variables[name] === undefined)
  return Object.fromEntries(
    missing.map(name => [
      name,
      `is missing, and ${set.join(' and ')} ${set.length > 1 ? 'are' : 'is'} set: set all of them or none`,
    ]),
  )
}

function definedOf(refused: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(refused).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
}
