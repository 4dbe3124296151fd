import type { Paint, Svg } from './sheet.js'

/** The rest of a shape's attributes, as SVG writes them. */
type More = Readonly<Record<string, string | number>>

const write = (more: More) =>
  Object.entries(more)
    .map(([name, value]) => ` ${name}="${value}"`)
    .join('')

export const path = (d: string, fill: Paint, more: More = {}): Svg => `<path d="${d}" fill="${fill}"${write(more)}/>`

/** A line along a path, with round ends. */
export const stroke = (d: string, paint: Paint, width: number, more: More = {}): Svg =>
  `<path d="${d}" fill="none" stroke="${paint}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"${write(more)}/>`

export const rect = (
  x: number,
  y: number,
  width: number,
  height: number,
  radius: number,
  fill: Paint,
  more: More = {},
): Svg => `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}" fill="${fill}"${write(more)}/>`

export const circle = (cx: number, cy: number, r: number, fill: Paint, more: More = {}): Svg =>
  `<circle cx="${cx}" cy="${cy}" r="${r}" fill="${fill}"${write(more)}/>`

export const ellipse = (cx: number, cy: number, rx: number, ry: number, fill: Paint, more: More = {}): Svg =>
  `<ellipse cx="${cx}" cy="${cy}" rx="${rx}" ry="${ry}" fill="${fill}"${write(more)}/>`

/** An outlined circle. */
export const ring = (cx: number, cy: number, r: number, paint: Paint, width: number, more: More = {}): Svg =>
  circle(cx, cy, r, 'none', { stroke: paint, 'stroke-width': width, ...more })

export const group = (transform: string, ...parts: Svg[]): Svg => `<g transform="${transform}">${parts.join('')}</g>`

export const faint = (opacity: number, ...parts: Svg[]): Svg => `<g opacity="${opacity}">${parts.join('')}</g>`

/** So many of something around a centre, evenly; `draw` is given the angle in degrees, clockwise from the top. */
export function around(count: number, cx: number, cy: number, draw: (index: number, angle: number) => Svg): Svg {
  const parts = Array.from({ length: count }, (_, index) => {
    const angle = (360 / count) * index
    return group(`rotate(${round(angle)} ${cx} ${cy})`, draw(index, angle))
  })
  return parts.join('')
}

/** So many of something in a row. */
export const times = (count: number, draw: (index: number) => Svg): Svg =>
  Array.from({ length: count }, (_, index) => draw(index)).join('')

/** A point on a circle; the angle in degrees, clockwise from the top. */
export function onCircle(cx: number, cy: number, r: number, angle: number): readonly [number, number] {
  const radians = ((angle - 90) * Math.PI) / 180
  return [round(cx + r * Math.cos(radians)), round(cy + r * Math.sin(radians))]
}

const round = (value: number) => Math.round(value * 100) / 100
