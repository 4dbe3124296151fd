export type StripeErrorType = 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error'

export interface StripeErrorBody {
  readonly type: StripeErrorType
  readonly message: string
  readonly code?: string
  readonly decline_code?: string
  readonly param?: string
  readonly doc_url?: string
  readonly charge?: string
  readonly payment_intent?: unknown
  readonly setup_intent?: unknown
  readonly payment_method?: unknown
}

/** An answer that is not 2xx, with the provider's messages (docs.stripe.com/api/errors, docs.stripe.com/error-codes). */
export class StripeError extends Error {
  constructor(
    readonly status: number,
    readonly body: StripeErrorBody,
    /** A request refused before it was carried out leaves no trace under its idempotency key. */
    readonly carriedOut = false,
  ) {
    super(body.message)
  }

  /** 400: the request itself is wrong. */
  static invalid(message: string, more: { code?: string; param?: string } = {}): StripeError {
    return new StripeError(400, { type: 'invalid_request_error', message, ...documented(more.code), ...more })
  }

  /** 404: there is no such object, or not for this key. */
  static missing(kind: string, id: string, param = 'id'): StripeError {
    const message = `No such ${kind}: '${id}'`
    const code = 'resource_missing'
    return new StripeError(404, { type: 'invalid_request_error', message, code, param, ...documented(code) })
  }

  /** 401: no key, or not ours. */
  static unauthenticated(message: string): StripeError {
    return new StripeError(401, { type: 'invalid_request_error', message })
  }

  /** 403: the key may not do this. */
  static forbidden(message: string): StripeError {
    const code = 'secret_key_required'
    return new StripeError(403, { type: 'invalid_request_error', message, code, ...documented(code) })
  }

  /** 403: the account does not exist, or it is not connected to this key. */
  static noAccess(accountId: string): StripeError {
    const message = `The provided key does not have access to account '${accountId}' (or that account does not exist). Application access may have been revoked.`
    const code = 'account_invalid'
    return new StripeError(403, { type: 'invalid_request_error', message, code, ...documented(code) })
  }

  /** 400: the object's state does not allow this; carried out, therefore remembered. */
  static wrongState(message: string, code: string, more: Partial<StripeErrorBody> = {}): StripeError {
    return new StripeError(400, { type: 'invalid_request_error', message, code, ...documented(code), ...more }, true)
  }

  /** 402: the card was refused; carried out, therefore remembered. */
  static card(message: string, code: string, more: Partial<StripeErrorBody> = {}): StripeError {
    return new StripeError(402, { type: 'card_error', message, code, ...documented(code), ...more }, true)
  }
}

function documented(code: string | undefined): { doc_url?: string } {
  return code ? { doc_url: `https://docs.stripe.com/error-codes/${code.replaceAll('_', '-')}` } : {}
}
