/** Limits that hold for every request. */

/** The largest JSON body of a request with images, and of any other request. */
export const MAX_IMAGE_REQUEST_BYTES = 32 * 1024 * 1024
export const MAX_REQUEST_BYTES = 1024 * 1024
/** The largest body of a route that takes one without a session: for a text that a person writes, and for all else. */
export const MAX_ANONYMOUS_TEXT_BYTES = 64 * 1024
export const MAX_ANONYMOUS_REQUEST_BYTES = 16 * 1024
/** The largest body of a webhook event: of one in JSON, and of a form with at most so many fields. Twilio's reports have fifteen. */
export const MAX_WEBHOOK_BYTES = 256 * 1024
export const MAX_WEBHOOK_FORM_BYTES = 8 * 1024
export const MAX_WEBHOOK_FORM_FIELDS = 64

/** The form of an idempotency key. Clients usually send a UUID. */
export const IDEMPOTENCY_KEY_PATTERN = /^[\x21-\x7e]{1,128}$/
/** The same in words. */
export const IDEMPOTENCY_KEY_FORM = '1 to 128 visible ASCII characters'

/** How many items a page of a list has: when the request names no `limit`, and at most. */
export const PAGE_SIZE = 50
export const MAX_PAGE_SIZE = 100
