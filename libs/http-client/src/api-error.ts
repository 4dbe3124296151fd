import { STATUS_TEXT } from '@holdfast/contracts/status-text'

/** The fields of an error response: those of the contracts' `ErrorBody`, and the status. */
export interface ApiErrorFields {
  readonly status: number
  readonly code: string
  /** The server's message, which may be shown to a user. */
  readonly serverMessage: string
  readonly details: Readonly<Record<string, unknown>> | null
  readonly requestId: string | null
  /** Seconds to wait before trying again, when the answer has a `Retry-After` (429, 503). */
  readonly retryAfterSeconds?: number
}

/**
 * An answer that is not a success. `message` is `'{status}: {statusText}'` (spec section 8); the server's own message
 * is in `serverMessage`. Callers distinguish errors by `code`.
 */
export class ApiError extends Error implements ApiErrorFields {
  override readonly name = 'ApiError'
  readonly status: number
  readonly statusText: string
  readonly code: string
  readonly serverMessage: string
  readonly details: Readonly<Record<string, unknown>> | null
  readonly requestId: string | null
  readonly retryAfterSeconds?: number

  constructor(fields: ApiErrorFields) {
    const statusText = STATUS_TEXT[fields.status] ?? 'Error'
    super(`${fields.status}: ${statusText}`)
    this.status = fields.status
    this.statusText = statusText
    this.code = fields.code
    this.serverMessage = fields.serverMessage
    this.details = fields.details
    this.requestId = fields.requestId
    if (fields.retryAfterSeconds !== undefined) this.retryAfterSeconds = fields.retryAfterSeconds
  }

  /** The message of each refused field: `{ price: 'Must not be negative' }`; empty when no field was refused. */
  get fields(): Readonly<Record<string, string>> {
    const fields = this.details?.fields
    return typeof fields === 'object' && fields !== null ? (fields as Record<string, string>) : {}
  }
}

/**
 * There was no readable answer: the connection was refused, reset or timed out. Whether the server did the work is unknown,
 * so only an idempotent request may be repeated. `cause` is the transport's own error.
 */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError'
}
