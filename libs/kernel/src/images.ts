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

/** The address of a picture is this prefix, followed by the picture's hash. */
export const IMAGE_PATH_PREFIX = '/api/images/'

/**
 * The widths in pixels in which a picture can be requested. They are the widths that the screens show: thumbnails (160 and 320),
 * cards (320, 512 and 720) and the large picture of a listing (720 and 1440), on displays with one, two and three pixels per
 * CSS pixel. The list is short, because every width that is requested of a picture is made and stored.
 */
export const IMAGE_WIDTHS = [160, 320, 512, 720, 1440] as const
export type ImageWidth = (typeof IMAGE_WIDTHS)[number]

/** The address of a picture that is scaled down to a width. A narrower picture keeps its own width. */
export const scaledImagePath = (imagePath: string, width: ImageWidth): string => `${imagePath}/${width}`
