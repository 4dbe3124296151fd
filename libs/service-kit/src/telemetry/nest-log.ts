import type { LoggerService } from '@nestjs/common'
import { log } from './logging.js'

// Parts of Nest that log every route and module. They are logged at level debug.
const VERBOSE = ['InstanceLoader', 'RoutesResolver', 'RouterExplorer', 'NestFactory', 'NestApplication']

/** Writes Nest's own lines to our log. */
export class NestLog implements LoggerService {
  log(message: unknown, ...rest: unknown[]): void {
    const part = partOf(rest)
    log[VERBOSE.includes(part ?? '') ? 'debug' : 'info']({ part }, text(message))
  }
  warn(message: unknown, ...rest: unknown[]): void {
    log.warn({ part: partOf(rest) }, text(message))
  }
  debug(message: unknown, ...rest: unknown[]): void {
    log.debug({ part: partOf(rest) }, text(message))
  }
  verbose(message: unknown, ...rest: unknown[]): void {
    log.trace({ part: partOf(rest) }, text(message))
  }
  error(message: unknown, ...rest: unknown[]): void {
    log.error(faultOf(message, rest), text(message))
  }
  fatal(message: unknown, ...rest: unknown[]): void {
    log.fatal(faultOf(message, rest), text(message))
  }
}

/** Nest passes its context as the last argument. */
function partOf(rest: readonly unknown[]): string | undefined {
  const last = rest.at(-1)
  return typeof last === 'string' ? last : undefined
}

function faultOf(message: unknown, rest: readonly unknown[]): object {
  const error = [message, ...rest].find(each => each instanceof Error)
  const stack = rest.length > 1 && typeof rest[0] === 'string' ? rest[0] : undefined
  return { part: partOf(rest), ...(error ? { err: error } : { stack }) }
}

const text = (message: unknown): string => (message instanceof Error ? message.message : String(message))
