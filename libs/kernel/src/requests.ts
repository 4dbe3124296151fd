/** Limits that hold for every request. */

/** The largest JSON body of a request with images, and of any other request. */
export const MAX_IMAGE_REQUEST_BYTES = 32 * 1024 * 1024
export const MAX_REQUEST_BYTES = 1024 * 1024

export const MAX_IDEMPOTENCY_KEY_LENGTH = 128

/** How many items a page of a list has: when the request names no `limit`, and at most. */
export const PAGE_SIZE = 50
export const MAX_PAGE_SIZE = 100
