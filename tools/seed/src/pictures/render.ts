import sharp from 'sharp'
import type { Svg } from './scene.js'

const QUALITY = 84

/** Draws pictures as JPEG data URLs, the form in which a browser sends them. */
export function drawAll(pictures: readonly Svg[]): Promise<string[]> {
  return Promise.all(
    pictures.map(async svg => {
      const jpeg = await draw(svg)
      return `data:image/jpeg;base64,${jpeg.toString('base64')}`
    }),
  )
}

/** One picture as JPEG, in the size it was drawn for. */
export function draw(svg: Svg): Promise<Buffer> {
  return sharp(Buffer.from(svg)).jpeg({ quality: QUALITY, progressive: true }).toBuffer()
}
