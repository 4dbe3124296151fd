import type { Drawing } from './scene.js'
import { ellipse, faint, group, path, rect, stroke, times } from './shapes.js'
import type { Sheet, Svg } from './sheet.js'

const CANVAS = ['#8a6a35', '#cfa863', '#f1dcae'] as const

/** A ridge tent with its door tied back; 720 wide and 400 high. */
export const tent: Drawing = sheet =>
  [guyLines(), side(sheet), front(sheet), inside(sheet), poles(sheet), pegs()].join('')

const guyLines = (): Svg =>
  stroke('M-150 -372 L-352 8 M236 -330 L420 2 M-20 -180 L-60 20 M110 -170 L130 16 M250 -160 L300 12', '#efe6d2', 3)

function side(sheet: Sheet): Svg {
  const outline =
    'M-150 -376 C-30 -350 130 -340 240 -334 C272 -220 300 -110 330 -4 C220 8 120 10 24 12 C-30 -110 -90 -250 -150 -376 Z'
  const panels = times(4, at =>
    stroke(
      `M${-58 + at * 92} ${-358 + at * 7} C${0 + at * 88} -220 ${60 + at * 80} -110 ${96 + at * 74} 8`,
      CANVAS[0],
      2.5,
    ),
  )
  return [
    path(outline, sheet.linear([0, 0, 0.5, 1], [0, CANVAS[2]], [0.4, CANVAS[1]], [1, CANVAS[0]])),
    faint(0.5, panels),
    // The canvas hangs between ridge and pegs, and takes the light in folds.
    path('M60 -346 C90 -230 130 -110 176 8 L120 10 C80 -100 40 -230 10 -354 Z', '#fff', { opacity: 0.13 }),
    path('M240 -334 C272 -220 300 -110 330 -4 L268 4 C250 -110 230 -220 206 -336 Z', '#3a2612', { opacity: 0.2 }),
    stroke('M-150 -376 C-30 -350 130 -340 240 -334', '#7a5a2a', 5),
    times(4, at => rect(56 + at * 74, -4 + (at % 2) * -2, 18, 8, 2, '#6e5128')),
  ].join('')
}

const front = (sheet: Sheet): Svg =>
  [
    path(
      'M-150 -376 C-220 -240 -280 -110 -330 0 C-210 22 -90 22 24 12 C-30 -110 -90 -250 -150 -376 Z',
      sheet.linear([0, 0, 1, 1], [0, CANVAS[1]], [0.5, CANVAS[2]], [1, CANVAS[0]]),
    ),
    stroke('M-150 -376 C-220 -240 -280 -110 -330 0', CANVAS[0], 3, { opacity: 0.8 }),
    faint(0.4, stroke('M-250 -180 C-230 -120 -240 -60 -262 6 M-50 -180 C-60 -120 -40 -60 -34 12', CANVAS[0], 3)),
  ].join('')

function inside(sheet: Sheet): Svg {
  const flap = sheet.linear([0, 0, 1, 0], [0, CANVAS[2]], [0.6, CANVAS[1]], [1, '#7a5a2a'])
  return [
    path(
      'M-150 -340 C-176 -220 -214 -100 -236 12 C-180 18 -120 18 -66 14 C-88 -100 -124 -220 -150 -340 Z',
      sheet.linear([0, 0, 0, 1], [0, '#3a2612'], [1, '#1d130a']),
    ),
    // A lantern somebody has lit, and a blanket.
    ellipse(-150, -30, 110, 90, sheet.radial([0.5, 0.5, 0.5], [0, '#ffd98a', 0.85], [1, '#ffd98a', 0])),
    path('M-228 12 C-200 -26 -110 -30 -72 10 C-120 18 -180 18 -228 12 Z', '#8e3f26'),
    stroke('M-210 6 C-190 -10 -120 -14 -88 6', '#e0a36a', 4, { 'stroke-dasharray': '10 7' }),
    rect(-162, -76, 24, 40, 6, '#3a332d') +
      rect(-158, -70, 16, 28, 4, '#ffe9b4') +
      stroke('M-160 -76 q10 -18 20 0', '#3a332d', 3),
    path('M-150 -340 C-176 -220 -214 -100 -236 12 C-262 -10 -256 -70 -240 -110 C-226 -190 -184 -280 -150 -340 Z', flap),
    path('M-150 -340 C-124 -220 -88 -100 -66 14 C-40 -10 -46 -66 -62 -110 C-80 -190 -116 -280 -150 -340 Z', flap),
    stroke('M-246 -112 q14 8 22 -2 M-58 -112 q-14 8 -20 -2', '#6b3f28', 6),
  ].join('')
}

const poles = (sheet: Sheet): Svg => {
  const wood = sheet.linear([0, 0, 1, 0], [0, '#e3b987'], [0.5, '#b98554'], [1, '#7c5230'])
  return rect(-155, -400, 10, 60, 4, wood) + rect(234, -356, 9, 26, 4, wood)
}

const pegs = (): Svg =>
  [
    [-352, 8],
    [420, 2],
    [-60, 20],
    [130, 16],
    [300, 12],
  ]
    .map(([x, y]) =>
      group(`translate(${x} ${y}) rotate(12)`, rect(-4, -22, 8, 32, 3, '#8f5a2e'), rect(-7, -24, 14, 6, 2, '#b97c48')),
    )
    .join('')
