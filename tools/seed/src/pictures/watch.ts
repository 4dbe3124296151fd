import type { Drawing } from './scene.js'
import { around, circle, ellipse, faint, group, onCircle, path, rect, ring, stroke } from './shapes.js'
import type { Sheet, Svg } from './sheet.js'

export interface WatchStyle {
  /** The case: shade, body, light. */
  readonly metal: readonly [string, string, string]
  /** Middle and rim of the dial. */
  readonly dial: readonly [string, string]
  readonly ink: string
  readonly accent: string
  /** Shade and light of the strap, and its thread. */
  readonly strap: readonly [string, string, string]
  readonly face: 'field' | 'dress'
}

export const FIELD: WatchStyle = {
  metal: ['#6f6c68', '#bdbab4', '#fbfaf6'],
  dial: ['#2f3733', '#161b19'],
  ink: '#f1e9d6',
  accent: '#d9772f',
  strap: ['#5b4a2f', '#8a7148', '#d8c69a'],
  face: 'field',
}
export const DRESS: WatchStyle = {
  metal: ['#8a6420', '#d9ae56', '#fdf0c4'],
  dial: ['#fbf4e1', '#e6d6b2'],
  ink: '#6b5326',
  accent: '#4a3a1b',
  strap: ['#3b2115', '#6a3f28', '#a8754f'],
  face: 'dress',
}

/** A wristwatch seen from above, its middle at the origin; 340 wide, the strap runs up and down out of any picture. */
export const watch =
  (style: WatchStyle): Drawing =>
  sheet =>
    [strap(sheet, style), casing(sheet, style), dial(sheet, style), hands(style), crystal(sheet)].join('')

function strap(sheet: Sheet, { strap: [shade, light, thread] }: WatchStyle): Svg {
  const leather = sheet.linear([0, 0, 1, 0], [0, shade], [0.25, light], [0.7, light], [1, shade])
  const half = (sign: 1 | -1) => {
    const d = `M-84 ${sign * 120} L-66 ${sign * 560} L66 ${sign * 560} L84 ${sign * 120} Z`
    const seam = (x: number) =>
      stroke(`M${x} ${sign * 178} L${x * 0.8} ${sign * 560}`, thread, 3.5, { 'stroke-dasharray': '13 9', opacity: 0.9 })
    return path(d, leather) + seam(-66) + seam(66)
  }
  const holes = Array.from({ length: 5 }, (_, at) => ellipse(0, 300 + at * 52, 8, 10, '#1d120b', { opacity: 0.75 }))
  return half(1) + half(-1) + holes.join('')
}

function casing(sheet: Sheet, { metal: [shade, base, light] }: WatchStyle): Svg {
  const body = sheet.linear([0, 0, 1, 1], [0, light], [0.35, base], [0.75, shade], [1, base])
  const lug = (x: number, y: number) => rect(x - 22, y - 46, 44, 92, 16, body)
  const crown = rect(164, -24, 40, 48, 9, sheet.lying(shade, base, light))
  const grooves = Array.from({ length: 5 }, (_, at) => stroke(`M170 ${-16 + at * 8} H198`, shade, 2)).join('')
  return [
    lug(-92, -146) + lug(92, -146) + lug(-92, 146) + lug(92, 146),
    crown + grooves,
    circle(0, 0, 172, body),
    ring(0, 0, 160, light, 4, { opacity: 0.8 }),
    circle(0, 0, 150, sheet.linear([1, 1, 0, 0], [0, light], [0.4, base], [1, shade])),
  ].join('')
}

function dial(sheet: Sheet, { dial: [middle, rim], ink, face, accent }: WatchStyle): Svg {
  const ground = circle(0, 0, 138, sheet.radial([0.42, 0.38, 0.72], [0, middle], [1, rim]))
  const minutes = around(60, 0, 0, index => stroke('M0 -130 V-122', ink, index % 5 ? 1.6 : 4, { opacity: 0.85 }))
  if (face === 'dress') {
    const batons = around(12, 0, 0, index => rect(-3, -124, 6, index % 3 === 0 ? 36 : 28, 2, ink))
    const small =
      circle(0, 62, 30, rim) + ring(0, 62, 30, ink, 1.5) + around(12, 0, 62, () => stroke('M0 36 v5', ink, 1.5))
    return ground + batons + faint(0.6, minutes) + small + stroke('M0 62 L14 44', accent, 2.5)
  }
  const markers = around(12, 0, 0, index =>
    index === 0 ? path('M-13 -118 H13 L0 -90 Z', ink) : rect(-5, -118, 10, index % 3 === 0 ? 32 : 20, 3, ink),
  )
  const inner = around(12, 0, 0, () => circle(0, -70, 3, ink, { opacity: 0.55 }))
  return ground + minutes + markers + inner + ring(0, 0, 82, ink, 1.2, { opacity: 0.35 })
}

function hands({ ink, accent, face }: WatchStyle): Svg {
  const colour = face === 'dress' ? accent : ink
  const hand = (angle: number, length: number, width: number) =>
    group(
      `rotate(${angle})`,
      path(
        `M-${width} 16 L-${width * 0.7} -${length - 12} L0 -${length} L${width * 0.7} -${length - 12} L${width} 16 Z`,
        colour,
      ),
    )
  const shadow = `<g transform="translate(4 6)" opacity="0.3">${hand(-56, 78, 7)}${hand(58, 112, 5)}</g>`
  const [x, y] = onCircle(0, 0, 120, 197)
  const seconds = face === 'field' ? stroke(`M0 0 L${x} ${y}`, accent, 3) : ''
  return shadow + hand(-56, 78, 7) + hand(58, 112, 5) + seconds + circle(0, 0, 9, accent) + circle(0, 0, 4, '#1b1512')
}

const crystal = (sheet: Sheet): Svg =>
  path(
    'M-112 -82 A138 138 0 0 1 40 -132 L-58 116 A138 138 0 0 1 -132 34 Z',
    sheet.linear([0, 0, 1, 0.5], [0, '#fff', 0.3], [1, '#fff', 0.02]),
  ) + ring(0, 0, 138, '#000', 3, { opacity: 0.25 })
