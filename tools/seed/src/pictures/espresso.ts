import type { Drawing } from './scene.js'
import { around, circle, ellipse, group, path, rect, ring, stroke, times } from './shapes.js'
import type { Sheet, Svg } from './sheet.js'

const STEEL = ['#5e5a55', '#b9b5ae', '#ffffff'] as const
const BRASS = ['#7a5416', '#cf9d43', '#fbe7ae'] as const
const WALNUT = ['#3d2415', '#6d4427', '#b07c4f'] as const

/** A lever espresso machine with a cup under its spout; 480 wide and 560 high. */
export const espresso: Drawing = sheet =>
  [
    base(sheet),
    column(sheet),
    boiler(sheet),
    brewGroup(sheet),
    lever(sheet),
    gauge(sheet),
    wand(sheet),
    cup(sheet),
    steam(sheet),
  ].join('')

function base(sheet: Sheet): Svg {
  const steel = sheet.linear([0, 0, 0, 1], [0, STEEL[2]], [0.3, STEEL[1]], [1, STEEL[0]])
  return [
    [-196, 176].map(x => rect(x, -12, 34, 14, 4, '#1b1816')).join(''),
    rect(-226, -74, 452, 66, 20, steel),
    rect(-226, -74, 452, 8, 4, '#fff', { opacity: 0.7 }),
    // The drip tray.
    rect(-206, -90, 250, 20, 6, STEEL[0]),
    times(15, at => rect(-196 + at * 16, -86, 8, 12, 2, '#1f1c1a')),
    rect(88, -52, 92, 22, 5, '#2a2522') +
      rect(96, -46, 12, 10, 2, '#d9772f') +
      rect(112, -44, 56, 2.5, 1, '#efe6d2') +
      rect(112, -39, 38, 2.5, 1, '#efe6d2'),
  ].join('')
}

const column = (sheet: Sheet): Svg =>
  rect(88, -210, 96, 140, 12, sheet.round(...STEEL)) +
  rect(82, -216, 108, 14, 6, sheet.round(...BRASS)) +
  rect(82, -88, 108, 12, 5, sheet.round(...BRASS))

function boiler(sheet: Sheet): Svg {
  const shell = sheet.round(STEEL[0], STEEL[1], STEEL[2])
  return [
    rect(36, -456, 200, 250, 40, shell),
    rect(36, -440, 200, 12, 0, sheet.round(...BRASS)) + rect(36, -236, 200, 12, 0, sheet.round(...BRASS)),
    path('M40 -452 C46 -500 226 -500 232 -452 Z', sheet.round(...BRASS)),
    rect(122, -520, 28, 32, 6, sheet.round(...BRASS)) + rect(112, -534, 48, 18, 8, sheet.round(...WALNUT)),
    // The window by which one sees the water.
    rect(206, -410, 16, 150, 8, '#2a2522') +
      rect(
        210,
        -404,
        8,
        138,
        4,
        sheet.linear([0, 0, 0, 1], [0, '#f4f0e6'], [0.4, '#cfe0e0'], [0.42, '#6f9aa3'], [1, '#4c7680']),
      ),
  ].join('')
}

function brewGroup(sheet: Sheet): Svg {
  const brass = sheet.round(...BRASS)
  const steel = sheet.round(...STEEL)
  return [
    path(
      'M44 -360 C0 -366 -40 -360 -64 -344 L-64 -292 C-30 -304 10 -304 44 -296 Z',
      sheet.lying(STEEL[0], STEEL[1], STEEL[2]),
    ),
    rect(-132, -380, 86, 130, 14, steel),
    rect(-140, -300, 102, 12, 5, brass) + rect(-140, -372, 102, 12, 5, brass),
    rect(-152, -252, 126, 30, 8, steel),
    // The portafilter and its two spouts.
    path('M-146 -222 H-32 L-46 -186 H-132 Z', steel),
    path('M-150 -214 L-262 -196 C-274 -194 -274 -174 -262 -174 L-148 -190 Z', sheet.lying(...WALNUT)),
    rect(-164, -218, 18, 32, 4, brass),
    path(
      'M-108 -186 H-70 L-66 -172 C-60 -160 -62 -154 -58 -148 H-72 L-89 -170 L-106 -148 H-120 C-116 -154 -118 -160 -112 -172 Z',
      steel,
    ),
    stroke('M-112 -148 V-124 M-66 -148 V-124', '#5a3216', 4.5) +
      stroke('M-112 -148 V-124 M-66 -148 V-124', '#a8693a', 1.6),
  ].join('')
}

function lever(sheet: Sheet): Svg {
  return [
    rect(-106, -448, 34, 76, 8, sheet.round(...STEEL)),
    stroke('M-90 -436 L-196 -548', STEEL[0], 17) +
      stroke('M-90 -436 L-196 -548', STEEL[1], 12) +
      stroke('M-95 -445 L-194 -550', '#fff', 3, { opacity: 0.8 }),
    circle(-90, -436, 17, sheet.radial([0.35, 0.3, 0.8], [0, BRASS[2]], [0.6, BRASS[1]], [1, BRASS[0]])) +
      circle(-90, -436, 6, BRASS[0]),
    group(
      'translate(-206 -559) rotate(-43.4)',
      rect(-22, -74, 44, 92, 20, sheet.round(...WALNUT)),
      rect(-18, 12, 36, 14, 4, sheet.round(...BRASS)),
    ),
  ].join('')
}

const gauge = (sheet: Sheet): Svg =>
  [
    circle(118, -336, 47, sheet.linear([0, 0, 1, 1], [0, BRASS[2]], [0.5, BRASS[1]], [1, BRASS[0]])),
    circle(118, -336, 38, '#fffaf0') + ring(118, -336, 38, '#000', 3, { opacity: 0.18 }),
    group(
      'translate(118 -336)',
      around(20, 0, 0, index => (index > 13 || index < 7 ? stroke('M0 -34 V-27', '#2a2522', 2) : '')),
    ),
    path('M148 -354 A35 35 0 0 1 150 -324 L144 -326 A29 29 0 0 0 143 -350 Z', '#c8422e'),
    stroke('M118 -336 L136 -356', '#2a2522', 3.5) + circle(118, -336, 5, '#2a2522'),
  ].join('')

const wand = (sheet: Sheet): Svg =>
  stroke('M232 -330 H268 C290 -330 286 -290 276 -240 L258 -120', STEEL[0], 11) +
  stroke('M232 -330 H268 C290 -330 286 -290 276 -240 L258 -120', STEEL[2], 5) +
  rect(240, -356, 44, 24, 8, sheet.round(...WALNUT))

const cup = (sheet: Sheet): Svg => {
  const china = sheet.round('#b9a98e', '#f4ecdc', '#ffffff')
  return [
    ellipse(-88, -90, 66, 9, sheet.round('#b9a98e', '#f1e7d4', '#ffffff')),
    stroke('M-46 -138 C-20 -142 -18 -104 -52 -108', '#e9dec8', 8),
    path('M-134 -146 C-134 -112 -120 -94 -104 -92 H-74 C-58 -94 -44 -112 -44 -146 Z', china),
    ellipse(-89, -146, 45, 8, '#e3d6bd') +
      ellipse(-89, -145, 39, 6, sheet.radial([0.4, 0.4, 0.7], [0, '#c98a4a'], [1, '#6b3a18'])),
    rect(-134, -132, 90, 5, 0, '#2f5c49'),
  ].join('')
}

const steam = (sheet: Sheet): Svg => {
  const paint = sheet.linear([0, 1, 0, 0], [0, '#fff', 0.55], [1, '#fff', 0])
  return stroke('M-30 -150 c14 -26 -12 -40 4 -70 M-10 -150 c12 -20 -8 -34 6 -56', paint, 9)
}
