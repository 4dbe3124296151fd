import { AbstractLogger, type LogLevel, type LogMessage } from 'typeorm'
import { loggerOf } from '../telemetry/logging.js'

/** TypeORM's messages in our log. Statements and parameters are left out, since they contain personal data. */
export class TypeOrmLog extends AbstractLogger {
  readonly #log = loggerOf('typeorm')

  protected override writeLog(level: LogLevel, message: LogMessage | string | (LogMessage | string)[]): void {
    for (const each of [message].flat()) {
      if (typeof each !== 'string' && each.format === 'sql') continue
      const text = typeof each === 'string' ? each : String(each.message)
      if (level === 'error' || level === 'warn') this.#log.warn(text)
      else this.#log.info(text)
    }
  }
}
