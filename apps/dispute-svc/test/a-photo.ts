import { createHash } from 'node:crypto'
import sharp from 'sharp'

const LOCATION = { IFD0: { Make: 'Camera' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 31/1 0/1' } }

/** A photo as a phone sends it: with the place where it was taken. */
export const aPhoto = (red = 200): Promise<Buffer> =>
  sharp({ create: { width: 40, height: 30, channels: 3, background: { r: red, g: 40, b: 90 } } })
    .withExif(LOCATION)
    .jpeg()
    .toBuffer()

export const dataUrl = (bytes: Buffer): string => `data:image/jpeg;base64,${bytes.toString('base64')}`

export const sha256 = (content: Buffer | string): string => createHash('sha256').update(content).digest('hex')
