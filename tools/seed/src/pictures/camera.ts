import type { Drawing } from './scene.js'
import { around, circle, faint, path, rect, ring, stroke } from './shapes.js'
import type { Sheet, Svg } from './sheet.js'

export interface CameraFinish {
  /** The metal of top and base: shade, body, light. */
  readonly metal: readonly [string, string, string]
  /** The leather around the body. */
  readonly leather: readonly [string, string]
}

export const CHROME: CameraFinish = { metal: ['#8d8a84', '#cfccc4', '#fbf9f2'], leather: ['#3a332d', '#1e1a17'] }
export const BLACK_PAINT: CameraFinish = { metal: ['#171513', '#37332f', '#77716a'], leather: ['#6b3f28', '#472818'] }

/** A rangefinder camera, 620 wide and 390 high. */
export const camera =
  ({ metal, leather }: CameraFinish): Drawing =>
  sheet => {
    const [shade, base, glint] = metal
    const plate = sheet.linear([0, 0, 0, 1], [0, glint], [0.12, base], [0.8, base], [1, shade])
    const hide = sheet.linear([0, 0, 1, 1], [0, leather[0]], [1, leather[1]])
    return [
      // Strap lugs, then the body from the back to the front.
      ring(-312, -262, 11, shade, 6) + ring(312, -262, 11, shade, 6),
      rect(-310, -320, 620, 320, 46, plate),
      rect(-310, -252, 620, 196, 8, hide),
      pebbles(leather[0]),
      rect(-310, -252, 620, 5, 2, '#000', { opacity: 0.35 }),
      rect(-310, -60, 620, 5, 2, '#fff', { opacity: 0.18 }),
      rect(-292, -318, 584, 8, 4, '#fff', { opacity: 0.55 }),
      topControls(sheet, metal),
      windows(sheet),
      lens(sheet, metal),
      selfTimer(sheet, metal),
    ].join('')
  }

const pebbles = (colour: string): Svg =>
  faint(
    0.5,
    ...Array.from({ length: 6 }, (_, row) =>
      stroke(`M-300 ${-236 + row * 32} H300`, colour, 2, { 'stroke-dasharray': '1 9', 'stroke-dashoffset': row * 5 }),
    ),
  )

function topControls(sheet: Sheet, [shade, base, glint]: CameraFinish['metal']): Svg {
  const knurled = sheet.linear([0, 0, 1, 0], [0, shade], [0.3, glint], [0.6, base], [1, shade])
  const ribs = (x: number, width: number, y: number, height: number) =>
    faint(
      0.4,
      ...Array.from({ length: Math.floor(width / 7) }, (_, at) =>
        stroke(`M${x + 5 + at * 7} ${y + 4} V${y + height - 4}`, shade, 2),
      ),
    )
  return [
    rect(-262, -356, 96, 38, 6, knurled) + ribs(-262, 96, -356, 38),
    rect(-240, -368, 52, 14, 4, base),
    rect(96, -352, 74, 34, 5, knurled) + ribs(96, 74, -352, 34),
    rect(196, -346, 40, 28, 6, knurled),
    rect(206, -360, 20, 16, 4, glint),
    path('M236 -338 C280 -344 300 -336 296 -324 L240 -320 Z', base),
    rect(-70, -334, 120, 16, 3, shade) + rect(-62, -330, 104, 6, 2, '#000', { opacity: 0.35 }),
  ].join('')
}

function windows(sheet: Sheet): Svg {
  const glass = sheet.linear([0, 0, 1, 1], [0, '#9fb3ad'], [0.35, '#37454a'], [1, '#14191b'])
  const pane = (x: number, width: number) =>
    rect(x - 5, -306, width + 10, 46, 7, '#1b1816') +
    rect(x, -301, width, 36, 4, glass) +
    path(`M${x + 4} -297 h${width * 0.45} l-12 28 h-${width * 0.45 - 12} Z`, '#fff', { opacity: 0.22 })
  return pane(-250, 62) + pane(-26, 34) + pane(176, 44)
}

function lens(sheet: Sheet, [shade, base, glint]: CameraFinish['metal']): Svg {
  const y = -150
  const barrel = sheet.linear([0, 0, 1, 1], [0, glint], [0.4, base], [1, shade])
  const glass = sheet.radial([0.38, 0.34, 0.75], [0, '#7f6aa0'], [0.22, '#39305c'], [0.55, '#171a2c'], [1, '#07080d'])
  return [
    circle(10, y + 12, 150, '#000', { opacity: 0.28 }),
    circle(0, y, 146, barrel) + ring(0, y, 146, shade, 3),
    around(60, 0, y, () => stroke(`M0 ${y - 143} V${y - 128}`, shade, 3, { opacity: 0.7 })),
    circle(0, y, 122, sheet.radial([0.4, 0.35, 0.8], [0, '#3b3733'], [1, '#141210'])),
    around(24, 0, y, index =>
      stroke(`M0 ${y - 116} v${index % 3 === 0 ? 12 : 7}`, index === 6 ? '#c8422e' : '#d9d2c2', 3),
    ),
    circle(0, y, 94, barrel),
    circle(0, y, 84, '#12100f'),
    ring(0, y, 72, '#2c2926', 10) + ring(0, y, 60, '#1b1917', 6),
    circle(0, y, 54, glass),
    ring(0, y, 34, '#5d7f8f', 3, { opacity: 0.45 }),
    path(`M-34 ${y - 30} A46 46 0 0 1 18 ${y - 44} A70 70 0 0 0 -34 ${y - 30} Z`, '#fff', { opacity: 0.75 }),
    circle(20, y + 24, 8, '#e0a36a', { opacity: 0.55 }),
    ring(0, y, 100, '#fff', 2, { opacity: 0.35 }),
  ].join('')
}

function selfTimer(sheet: Sheet, [shade, , glint]: CameraFinish['metal']): Svg {
  const arm = sheet.linear([0, 0, 1, 0], [0, glint], [1, shade])
  return (
    circle(-214, -196, 19, arm) +
    path('M-224 -192 L-220 -112 Q-214 -102 -208 -112 L-204 -192 Z', arm) +
    circle(-214, -196, 7, shade)
  )
}
