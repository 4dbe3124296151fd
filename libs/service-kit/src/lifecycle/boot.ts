import 'reflect-metadata'
import { flushLogs, loggerOf } from '../telemetry/logging.js'
import { type RunningService, type ServiceOptions, startService } from './service.js'

/** After this, work that is not finished is given up, and the process ends with status 1. */
export const DRAIN_DEADLINE_MS = 20_000

/**
 * Runs a service for the life of this process: starts it, and on SIGTERM, SIGINT or the launcher's death drains it and
 * exits 0. A boot that fails exits 1 with a log line. So does an uncaught error, since a process in an unknown state must
 * not go on handling money.
 */
export async function bootService(options: ServiceOptions): Promise<void> {
  const log = loggerOf('boot')
  let service: RunningService | undefined
  let stopping = false

  const stop = (reason: string): void => {
    if (stopping) return
    stopping = true
    log.info({ reason }, 'draining')
    setTimeout(() => {
      log.error({ seconds: DRAIN_DEADLINE_MS / 1000 }, 'not drained in time; giving up what is not finished')
      end(1)
    }, DRAIN_DEADLINE_MS)
    // Not ready yet, so no request has been taken.
    if (!service) end(0)
    else
      service.close().then(
        () => {
          log.info('drained')
          end(0)
        },
        error => fail('the drain failed', error),
      )
  }
  const fail = (what: string, error: unknown): void => {
    log.fatal({ err: error }, what)
    end(1)
  }

  process.on('uncaughtException', error => fail('an error was not caught', error))
  process.on('unhandledRejection', error => fail('a rejection was not caught', error))
  process.on('SIGTERM', () => stop('SIGTERM'))
  process.on('SIGINT', () => stop('SIGINT'))
  // A launcher keeps a channel open to its children; that it closed means that the launcher is gone.
  if (process.channel) process.on('disconnect', () => stop('the launcher is gone'))

  try {
    service = await startService(options)
  } catch (error) {
    fail('the service could not start', error)
  }
}

function end(status: number): never {
  flushLogs()
  process.exit(status)
}
