import { AsyncLocalStorage } from 'node:async_hooks'
import { type DestinationStream, type Logger, pino } from 'pino'
import { describeError } from './error-log.js'
import { LogDestination } from './log-destination.js'

/** The request or event that is handled. Its ids are fields of every log line that is written meanwhile. */
export interface RequestScope {
  readonly requestId: string
  readonly traceId?: string
  /** Whether the client has closed its connection; undefined for work that no client waits for. */
  readonly hasCallerLeft?: () => boolean
}

/**
 * The request or event that the running code handles. Such work is started by `requestContext.run({ requestId }, work)`.
 */
export const requestContext = new AsyncLocalStorage<RequestScope>()

/** The id of the running request or event; undefined outside of both. */
export const currentRequestId = (): string | undefined => requestContext.getStore()?.requestId

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']

// No code should log these fields. When one does so by mistake, the values are removed.
const SECRETS = ['cookie', '["set-cookie"]', 'authorization', 'password', 'token', 'secret', 'clientSecret', 'body']
const REDACTED = SECRETS.flatMap(key => (key.startsWith('[') ? [key, `*${key}`] : [key, `*.${key}`]))

const destination = new LogDestination(1, count => log.warn(`${count} log lines were lost`))

let service: string | undefined

// The logger exists before the configuration is read, so that errors of reading it are logged; the configuration checks the level.
const firstLevel = process.env.LOG_LEVEL || (process.env.NODE_ENV === 'test' ? 'silent' : 'info')

const format = {
  level: LEVELS.includes(firstLevel) ? firstLevel : 'info',
  base: null,
  timestamp: pino.stdTimeFunctions.isoTime,
  formatters: { level: (label: string) => ({ level: label }) },
  mixin: () => {
    const { requestId, traceId } = requestContext.getStore() ?? {}
    return { service, requestId, traceId }
  },
  serializers: { err: describeError },
}

/** A log in our format, written to a destination. */
export const createLog = (to: DestinationStream): Logger =>
  pino({ ...format, redact: { paths: REDACTED, censor: '[redacted]' } }, to)

/** The process's log: JSON lines on stdout. Libraries take a child of it by `loggerOf`. */
export const log: Logger = createLog(destination)

/** The log for the line per request. Its fields are fixed, so it skips the search for secrets, which is slow. */
export const requestLog: Logger = pino(format, destination)

/** A log whose lines name a part of the process. */
export const loggerOf = (part: string): Logger => log.child({ part })

/** Adds the service's name to every later line. */
export function nameLogs(name: string): void {
  service = name
}

/** Writes the lines that are not written yet. Call before the process ends. */
export function flushLogs(): void {
  destination.flushSync()
}
