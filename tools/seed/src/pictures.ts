import { fileURLToPath } from 'node:url'
import sharp from 'sharp'

const FOLDER = new URL('../pictures/', import.meta.url)
const JPEG_QUALITY = 84

/** The drawing of a name such as `vase-1`: an SVG of 960 by 640 pixels. */
export const drawingOf = (name: string): string => fileURLToPath(new URL(`${name}.svg`, FOLDER))

/** Turns drawings into JPEG data URLs of the same size, the form in which a browser sends pictures. */
export function rasterise(names: readonly string[]): Promise<string[]> {
  return Promise.all(
    names.map(async name => {
      const jpeg = await sharp(drawingOf(name)).jpeg({ quality: JPEG_QUALITY, progressive: true }).toBuffer()
      return `data:image/jpeg;base64,${jpeg.toString('base64')}`
    }),
  )
}
