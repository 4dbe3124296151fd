/** The most causes that are followed. */
const MAX_CAUSES = 4

/** An error as the log shows it. */
export interface ErrorDescription {
  readonly type: string
  readonly message: string
  readonly stack: string | undefined
  readonly code?: unknown
  readonly constraint?: unknown
  readonly cause?: ErrorDescription
}

/**
 * Describes an error for the log. Only these fields are copied, because database errors also contain the statement's
 * parameters and whole rows, which are personal data.
 */
export function describeError(error: unknown, depth = 0): ErrorDescription {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error), stack: undefined }
  const { code, constraint } = error as { code?: unknown; constraint?: unknown }
  return {
    type: error.name,
    message: error.message,
    stack: error.stack,
    ...(code === undefined ? {} : { code }),
    ...(constraint === undefined ? {} : { constraint }),
    ...(error.cause === undefined || depth >= MAX_CAUSES ? {} : { cause: describeError(error.cause, depth + 1) }),
  }
}
