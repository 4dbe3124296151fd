import type { Drawing } from './scene.js'
import { ring as band, circle, ellipse, group, path, stroke } from './shapes.js'
import type { Sheet, Svg } from './sheet.js'

const GOLD = ['#8a6118', '#dcae4d', '#fff2c2'] as const

/** An emerald between two diamonds on a gold band that stands upright; 340 wide and 430 high. */
export const emeraldRing: Drawing = sheet => [hoop(sheet), claws(sheet), stones(sheet), sparkle()].join('')

function hoop(sheet: Sheet): Svg {
  const gold = sheet.linear([0, 0, 1, 1], [0, GOLD[2]], [0.3, GOLD[1]], [0.55, GOLD[0]], [0.8, GOLD[1]], [1, GOLD[2]])
  return [
    // The far half of the band shows its inside.
    ellipse(14, -152, 136, 142, 'none', { stroke: GOLD[0], 'stroke-width': 20 }),
    band(0, -150, 138, gold, 25),
    band(0, -150, 149, GOLD[2], 2.5, { opacity: 0.9 }) + band(0, -150, 127, GOLD[0], 3, { opacity: 0.7 }),
    path('M-136 -176 A140 140 0 0 1 -94 -254', 'none', {
      stroke: '#fff',
      'stroke-width': 7,
      'stroke-linecap': 'round',
      opacity: 0.85,
    }),
    path('M128 -86 A146 146 0 0 1 84 -34', 'none', {
      stroke: '#fff',
      'stroke-width': 5,
      'stroke-linecap': 'round',
      opacity: 0.5,
    }),
  ].join('')
}

function claws(sheet: Sheet): Svg {
  const gold = sheet.linear([0, 0, 1, 0], [0, GOLD[1]], [0.35, GOLD[2]], [1, GOLD[0]])
  return [
    path('M-78 -292 C-50 -270 50 -270 78 -292 L62 -318 H-62 Z', gold),
    path(
      'M-150 -296 C-146 -268 -132 -252 -108 -244 L-70 -286 L-88 -316 Z M150 -296 C146 -268 132 -252 108 -244 L70 -286 L88 -316 Z',
      gold,
    ),
    stroke('M-62 -296 L-86 -350 M62 -296 L86 -350 M-22 -290 L-28 -330 M22 -290 L28 -330', gold, 9),
  ].join('')
}

function stones(sheet: Sheet): Svg {
  const girdle = 'M-58 -436 H58 L92 -402 V-352 L58 -318 H-58 L-92 -352 V-402 Z'
  const facet = (d: string, colour: string, opacity = 1) => path(d, colour, { opacity })
  const side = (x: number) => group(`translate(${x} -308) scale(0.54)`, diamond(sheet))
  const corner = (x: number, y: number) =>
    circle(x, y, 9, sheet.radial([0.35, 0.3, 0.8], [0, GOLD[2]], [0.6, GOLD[1]], [1, GOLD[0]]))
  return [
    side(-118) + side(118),
    path(girdle, sheet.linear([0, 0, 1, 1], [0, '#7fe0b0'], [0.35, '#1f9a66'], [0.7, '#0b5f3f'], [1, '#39b583'])),
    facet('M-58 -436 H58 L40 -412 H-40 Z', '#b9f2d6', 0.8),
    facet('M-92 -402 L-58 -436 L-40 -412 L-66 -392 Z', '#63cf9f', 0.9),
    facet('M92 -402 L58 -436 L40 -412 L66 -392 Z', '#17865a', 0.9),
    facet('M-92 -402 L-66 -392 V-362 L-92 -352 Z', '#2fb37e', 0.9),
    facet('M92 -402 L66 -392 V-362 L92 -352 Z', '#0a5034', 0.9),
    facet('M-58 -318 H58 L40 -342 H-40 Z', '#08442c', 0.95),
    facet('M-92 -352 L-66 -362 L-40 -342 L-58 -318 Z', '#14764f', 0.9),
    facet('M92 -352 L66 -362 L40 -342 L58 -318 Z', '#1d8f62', 0.9),
    path(
      'M-40 -412 H40 L66 -392 V-362 L40 -342 H-40 L-66 -362 V-392 Z',
      sheet.linear([0, 0, 1, 1], [0, '#5fd6a2'], [0.3, '#0f7c52'], [0.65, '#0a5638'], [1, '#2fb37e']),
    ),
    facet('M-40 -412 L6 -412 L-52 -352 L-66 -362 V-392 Z', '#e9fff4', 0.42),
    facet('M20 -412 L34 -412 L-28 -342 L-40 -342 Z', '#e9fff4', 0.28),
    corner(-88, -352) + corner(88, -352) + corner(-88, -402) + corner(88, -402) + corner(-56, -434) + corner(56, -434),
  ].join('')
}

const diamond = (sheet: Sheet): Svg =>
  [
    circle(0, 0, 62, sheet.linear([0, 0, 1, 1], [0, '#ffffff'], [0.5, '#cfd8dc'], [1, '#9fb0b8'])),
    path('M0 -62 L20 -22 L62 0 L20 22 L0 62 L-20 22 L-62 0 L-20 -22 Z', '#fff', { opacity: 0.75 }),
    path('M-44 -44 L0 -26 L44 -44 L26 0 L44 44 L0 26 L-44 44 L-26 0 Z', '#aebfc8', { opacity: 0.55 }),
    circle(0, 0, 22, '#fff', { opacity: 0.8 }),
    band(0, 0, 62, GOLD[1], 9),
  ].join('')

const sparkle = (): Svg => {
  const star = (x: number, y: number, size: number) =>
    path(
      `M${x} ${y - size} Q${x + 2} ${y - 2} ${x + size} ${y} Q${x + 2} ${y + 2} ${x} ${y + size} Q${x - 2} ${y + 2} ${x - size} ${y} Q${x - 2} ${y - 2} ${x} ${y - size} Z`,
      '#fff',
      { opacity: 0.95 },
    )
  return star(-36, -420, 24) + star(-142, -348, 15) + star(118, -214, 13)
}
