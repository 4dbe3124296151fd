import 'reflect-metadata'
import { flushLogs, loggerOf } from '../telemetry/logging.js'
import { type RunningService, type ServiceOptions, startService } from './service.js'

/** The longest drain. After it the process ends with status 1, and unfinished work is lost. */
const DRAIN_DEADLINE_MS = 20_000

/**
 * Runs a service until this process ends. On SIGTERM, SIGINT or the launcher's death it drains the service and exits 0. A
 * failed boot exits 1 with a log line. So does an uncaught error, because a process in an unknown state must not handle
 * money.
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
      log.error({ seconds: DRAIN_DEADLINE_MS / 1000 }, 'not drained in time; unfinished work is given up')
      end(1)
    }, DRAIN_DEADLINE_MS)
    // The service is not ready yet, so it has accepted no request.
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
  // A launcher keeps a channel open to its children. The channel closes when the launcher ends.
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
