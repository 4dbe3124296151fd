/** Limits of listing images (spec sections 5 and 9). */

export const MAX_IMAGES = 20
/** The largest file that a user may choose. The browser then scales it down. */
export const MAX_PICKED_IMAGE_BYTES = 50 * 1024 * 1024
/** One image as it arrives at the server, decoded from its data URL. */
export const MAX_IMAGE_BYTES = 10 * 1024 * 1024
export const MAX_IMAGE_PIXELS = 40_000_000
/** Listing images are scaled to fit within this box and encoded as JPEG at this quality. */
export const LISTING_IMAGE_BOX = { width: 600, height: 400 } as const
export const LISTING_IMAGE_QUALITY = 0.6
