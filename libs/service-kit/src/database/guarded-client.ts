import pg from 'pg'
import { loggerOf } from '../telemetry/logging.js'
import { histogram } from '../telemetry/metrics.js'
import { failSpan } from '../telemetry/telemetry.js'
import { READ_TIMEOUT } from './database-trouble.js'
import { startStatementSpan } from './statement-spans.js'

// OpenTelemetry's name.
const statements = histogram(
  'db_client_operation_duration_seconds',
  'Time from sending a statement to its answer or its failure',
)

/** Logs a lost connection. The pool makes another one, and a running query rejects by itself. */
export function reportLostConnection(error: unknown): void {
  loggerOf('database').warn({ err: error }, 'a connection to the database was lost')
}

/**
 * A connection that logs errors that no listener handles, because an unhandled `error` event would end the process. `pg`
 * has no listener on a connection between connecting and its first use, nor between two uses. It measures every statement, and records
 * those of a recorded trace. For `Client` of a `pg.Pool`.
 */
export class GuardedClient extends pg.Client {
  override emit(event: string | symbol, ...args: unknown[]): boolean {
    if (event !== 'error' || this.listenerCount('error') > 0) return super.emit(event, ...args)
    reportLostConnection(args[0])
    return true
  }

  // `pg` declares an overload for each way to call it, and only the result `never` fits all of them.
  override query(...args: unknown[]): never {
    const startedMs = performance.now()
    const span = startStatementSpan(args[0])
    const measure = (error?: unknown) => {
      statements.observe((performance.now() - startedMs) / 1000)
      if (span && error) failSpan(span, error)
      span?.end()
    }
    const callback = args.at(-1)
    if (typeof callback === 'function')
      args[args.length - 1] = (...outcome: unknown[]) => {
        measure(outcome[0])
        callback(...outcome)
      }
    const answer: unknown = super.query(...(args as [never]))
    if (answer instanceof Promise)
      answer.then(
        () => measure(),
        (error: unknown) => {
          measure(error)
          // The server may go on later, inside a dbTx whose end was never sent. So the connection must not be used again.
          // TypeORM would use it again. When its socket ends, the pool drops it.
          if (error instanceof Error && error.message === READ_TIMEOUT) this.connection.stream.destroy(error)
        },
      )
    return answer as never
  }
}
