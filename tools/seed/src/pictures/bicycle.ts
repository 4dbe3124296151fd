import type { Drawing } from './scene.js'
import { around, circle, ellipse, group, path, rect, ring, stroke } from './shapes.js'
import type { Sheet, Svg } from './sheet.js'

const REAR = [-258, -150] as const
const FRONT = [262, -150] as const
const CRANK = [-48, -142] as const
const SEAT = [-112, -376] as const
const HEAD_TOP = [176, -392] as const
const HEAD_LOW = [192, -330] as const
const FRAME = ['#173a2e', '#2d5f4b', '#8fbba5'] as const
const STEEL = ['#8e8b85', '#d9d6cf', '#ffffff'] as const

/** A touring bicycle from its drive side; 820 wide and 480 high. */
export const bicycle: Drawing = sheet => {
  const tube = (from: readonly [number, number], to: readonly [number, number], width: number) =>
    stroke(`M${from[0]} ${from[1]} L${to[0]} ${to[1]}`, FRAME[0], width) +
    stroke(`M${from[0]} ${from[1]} L${to[0]} ${to[1]}`, FRAME[1], width * 0.72) +
    stroke(`M${from[0] - 2} ${from[1] - 3} L${to[0] - 2} ${to[1] - 3}`, FRAME[2], width * 0.2, { opacity: 0.8 })
  return [
    wheel(sheet, ...REAR) + wheel(sheet, ...FRONT),
    mudguards(),
    // Stays first: the wide tubes of the front triangle lie over their ends.
    tube(REAR, SEAT, 9) + tube(REAR, CRANK, 9),
    stroke(`M${HEAD_LOW[0]} ${HEAD_LOW[1]} C206 -270 216 -212 ${FRONT[0]} ${FRONT[1]}`, FRAME[0], 12),
    stroke(`M${HEAD_LOW[0]} ${HEAD_LOW[1]} C206 -270 216 -212 ${FRONT[0]} ${FRONT[1]}`, FRAME[1], 8),
    tube(CRANK, SEAT, 15) + tube(SEAT, HEAD_TOP, 14) + tube(CRANK, HEAD_LOW, 16) + tube(HEAD_LOW, HEAD_TOP, 18),
    lugs(),
    bottle(sheet),
    drivetrain(sheet),
    saddle(sheet) + bars(sheet) + rack(),
  ].join('')
}

function wheel(sheet: Sheet, x: number, y: number): Svg {
  const spokes = around(18, x, y, index =>
    stroke(`M${x} ${y - 12} L${x + (index % 2 ? 16 : -16)} ${y - 128}`, STEEL[0], 1.3),
  )
  return [
    ring(x, y, 141, '#2b2622', 15),
    ring(x, y, 146, '#c9a86b', 5, { opacity: 0.9 }),
    ring(x, y, 129, STEEL[1], 7) + ring(x, y, 132, STEEL[2], 1.5, { opacity: 0.9 }),
    spokes,
    circle(x, y, 15, sheet.radial([0.35, 0.3, 0.8], [0, STEEL[2]], [1, STEEL[0]])) + circle(x, y, 5, '#4c4842'),
  ].join('')
}

const mudguards = (): Svg => {
  const guard = (d: string) => stroke(d, '#9a978f', 9) + stroke(d, '#ecebe6', 4)
  return (
    guard('M-372 -262 A160 160 0 0 1 -112 -216') +
    guard('M-418 -150 A160 160 0 0 1 -372 -262') +
    guard('M196 -296 A160 160 0 0 1 414 -198')
  )
}

const lugs = (): Svg =>
  [SEAT, HEAD_TOP, HEAD_LOW, CRANK]
    .map(([x, y]) => circle(x, y, 12, FRAME[0]) + ring(x, y, 12, '#d9b661', 1.6))
    .join('') + circle(184, -362, 6, '#d9b661')

function bottle(sheet: Sheet): Svg {
  return group(
    'translate(66 -226) rotate(51.5)',
    rect(-15, -64, 30, 96, 8, sheet.round('#6f7a72', '#b9c2b8', '#ffffff')),
    rect(-9, -82, 18, 20, 5, '#2b2622'),
    rect(-18, 6, 36, 6, 3, '#8e8b85') + rect(-18, -34, 36, 5, 2, '#8e8b85'),
  )
}

function drivetrain(sheet: Sheet): Svg {
  const [x, y] = CRANK
  const metal = sheet.linear([0, 0, 1, 1], [0, STEEL[2]], [0.5, STEEL[1]], [1, STEEL[0]])
  const crank = (angle: number) =>
    group(
      `rotate(${angle} ${x} ${y})`,
      rect(x - 6, y - 4, 12, 84, 6, metal),
      rect(x - 26, y + 72, 52, 15, 5, '#2b2622'),
    )
  return [
    stroke(`M${REAR[0]} ${REAR[1] - 24} L${x} ${y - 46} M${REAR[0]} ${REAR[1] + 24} L${x} ${y + 46}`, '#4a453e', 4, {
      'stroke-dasharray': '5 2',
    }),
    around(9, REAR[0], REAR[1], () => stroke(`M${REAR[0]} ${REAR[1] - 18} V${REAR[1] - 27}`, '#5b564e', 4)),
    circle(REAR[0], REAR[1], 24, 'none', { stroke: '#6e6960', 'stroke-width': 7 }),
    crank(128),
    around(30, x, y, () => stroke(`M${x} ${y - 45} V${y - 50}`, STEEL[0], 4)),
    ring(x, y, 44, metal, 8),
    around(5, x, y, () => path(`M${x - 7} ${y} L${x - 4} ${y - 42} H${x + 4} L${x + 7} ${y} Z`, metal)),
    crank(-52),
    circle(x, y, 12, metal) + circle(x, y, 5, '#4c4842'),
  ].join('')
}

function saddle(sheet: Sheet): Svg {
  const leather = sheet.linear([0, 0, 0, 1], [0, '#b87a45'], [0.5, '#8b5228'], [1, '#5a3216'])
  return [
    stroke('M-112 -376 L-128 -436', STEEL[0], 11) + stroke('M-114 -380 L-129 -436', STEEL[2], 5),
    stroke('M-174 -434 C-150 -424 -90 -426 -52 -440', STEEL[0], 4),
    path(
      'M-196 -462 C-150 -478 -92 -462 -36 -462 Q-20 -460 -30 -450 C-76 -442 -92 -430 -128 -428 C-166 -424 -204 -440 -196 -462 Z',
      leather,
    ),
    path('M-190 -462 C-150 -474 -92 -460 -40 -459', 'none', { stroke: '#e3ac76', 'stroke-width': 3, opacity: 0.8 }),
    circle(-178, -452, 4, '#d9b661') + circle(-150, -446, 3, '#d9b661'),
  ].join('')
}

function bars(sheet: Sheet): Svg {
  const tape = sheet.linear([0, 0, 1, 1], [0, '#b87a45'], [1, '#6f4020'])
  return [
    stroke('M176 -392 L168 -436 L214 -450', STEEL[0], 11) + stroke('M176 -392 L168 -436 L214 -450', STEEL[1], 7),
    stroke('M214 -450 C270 -462 296 -440 288 -404 C282 -374 250 -366 222 -376', '#5a3216', 17),
    stroke('M214 -450 C270 -462 296 -440 288 -404 C282 -374 250 -366 222 -376', tape, 13),
    path('M268 -452 C292 -470 306 -440 300 -392 L290 -398 C294 -430 286 -448 264 -444 Z', STEEL[1]),
    stroke('M290 -440 C330 -470 300 -380 210 -300', '#2b2622', 3),
  ].join('')
}

const rack = (): Svg =>
  stroke('M-150 -322 H-366 L-372 -312 M-340 -322 L-258 -150 M-260 -322 L-258 -158', '#3a3632', 6) +
  ellipse(-382, -306, 7, 11, '#a5281c')
