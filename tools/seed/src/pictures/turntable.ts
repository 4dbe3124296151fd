import type { Drawing } from './scene.js'
import { around, circle, ellipse, faint, group, path, rect, ring, stroke, times } from './shapes.js'
import type { Sheet, Svg } from './sheet.js'

export interface TurntableFinish {
  /** The plinth: light, body, shade. */
  readonly plinth: readonly [string, string, string]
  readonly grain: string | null
  readonly label: readonly [string, string]
}

export const WALNUT: TurntableFinish = {
  plinth: ['#a3714a', '#7a4d2f', '#4e2e1a'],
  grain: '#3d2213',
  label: ['#d9772f', '#f4e6c8'],
}
export const PIANO_BLACK: TurntableFinish = {
  plinth: ['#4a4643', '#211e1c', '#0d0b0a'],
  grain: null,
  label: ['#2d6a5a', '#f1dfb2'],
}

/** A record player from above, its middle at the origin; 720 wide and 560 high. */
export const turntable =
  (finish: TurntableFinish): Drawing =>
  sheet =>
    [plinth(sheet, finish), platter(sheet), record(sheet, finish.label), tonearm(sheet), controls(sheet)].join('')

function plinth(sheet: Sheet, { plinth: [light, base, shade], grain }: TurntableFinish): Svg {
  const wood = sheet.linear([0, 0, 1, 1], [0, light], [0.5, base], [1, shade])
  const line = (at: number) =>
    stroke(
      `M-372 ${-270 + at * 22} C-200 ${-290 + at * 24} -60 ${-246 + at * 20} 120 ${-268 + at * 22} S320 ${-256 + at * 22} 372 ${-272 + at * 22}`,
      grain ?? base,
      2,
    )
  return [
    rect(-360, -280, 720, 560, 18, shade),
    rect(-360, -280, 720, 552, 18, wood),
    grain
      ? sheet.clip('<rect x="-360" y="-280" width="720" height="552" rx="18"/>', faint(0.3, times(26, line)))
      : path('M-360 -262 Q-360 -280 -342 -280 H120 L-220 272 H-342 Q-360 272 -360 254 Z', '#fff', { opacity: 0.09 }),
    rect(-352, -272, 704, 536, 14, 'none', { stroke: '#fff', 'stroke-width': 2, opacity: 0.22 }),
  ].join('')
}

const platter = (sheet: Sheet): Svg =>
  [
    circle(-72, 6, 250, '#000', { opacity: 0.3 }),
    circle(
      -78,
      -4,
      248,
      sheet.linear([0, 0, 1, 1], [0, '#f7f5ef'], [0.4, '#b9b5ac'], [0.7, '#77736b'], [1, '#cfcbc2']),
    ),
    around(72, -78, -4, () => circle(-78, -246, 3, '#5e5a53')),
    circle(-78, -4, 236, '#1b1917'),
  ].join('')

function record(sheet: Sheet, [label, print]: TurntableFinish['label']): Svg {
  const [x, y] = [-78, -4]
  const grooves = times(18, at => ring(x, y, 224 - at * 7.4, at % 5 === 4 ? '#000' : '#3b3835', at % 5 === 4 ? 4 : 1.4))
  const sheen = (angle: number) =>
    group(
      `rotate(${angle} ${x} ${y})`,
      path(
        `M${x} ${y} L${x - 40} ${y - 228} A230 230 0 0 1 ${x + 52} ${y - 224} Z`,
        sheet.linear([0, 0, 1, 0], [0, '#fff', 0], [0.5, '#fff', 0.3], [1, '#fff', 0]),
      ),
    )
  return [
    circle(x, y, 230, sheet.radial([0.45, 0.4, 0.7], [0, '#2b2826'], [1, '#100e0d'])),
    grooves,
    sheen(-38) + sheen(142) + faint(0.5, sheen(-62) + sheen(118)),
    circle(x, y, 82, sheet.radial([0.4, 0.35, 0.8], [0, label], [1, label])),
    ring(x, y, 76, print, 2) + ring(x, y, 30, print, 1.5),
    path(`M${x - 58} ${y + 4} A58 58 0 0 1 ${x + 58} ${y + 4} Z`, print, { opacity: 0.16 }),
    rect(x - 34, y - 56, 68, 7, 3, print) + rect(x - 24, y - 43, 48, 4, 2, print),
    rect(x - 42, y + 40, 84, 4, 2, print) + rect(x - 30, y + 50, 60, 4, 2, print),
    circle(x, y, 7, '#e9e5da') + circle(x - 2, y - 2, 3, '#fff'),
  ].join('')
}

function tonearm(sheet: Sheet): Svg {
  const metal = sheet.linear([0, 0, 1, 1], [0, '#ffffff'], [0.45, '#c9c5bc'], [1, '#77736b'])
  const arm = 'M250 -190 C262 -90 262 -10 244 70 C232 124 180 150 128 170'
  return [
    faint(0.3, `<g transform="translate(12 16)">${stroke(arm, '#000', 12)}</g>`),
    circle(250, -190, 62, sheet.radial([0.35, 0.3, 0.8], [0, '#6b665f'], [1, '#22201d'])) +
      ring(250, -190, 52, '#8f8b82', 2),
    rect(230, -262, 40, 44, 8, metal) + rect(236, -254, 28, 5, 2, '#77736b'),
    stroke(arm, '#7d786f', 13) + stroke(arm, metal, 10),
    stroke('M247 -186 C258 -90 258 -10 240 66', '#fff', 2.5, { opacity: 0.8 }),
    circle(250, -190, 30, metal) + circle(250, -190, 11, '#4a4640'),
    group(
      'translate(128 170) rotate(158)',
      rect(-8, -17, 62, 34, 5, '#1c1a18'),
      rect(16, -10, 30, 20, 3, '#c9a04a'),
      stroke('M52 14 q16 8 20 20', '#c9c5bc', 4),
    ),
  ].join('')
}

function controls(sheet: Sheet): Svg {
  const metal = sheet.radial([0.35, 0.3, 0.8], [0, '#ffffff'], [0.6, '#b9b5ac'], [1, '#77736b'])
  const knob = (x: number, y: number, r: number) =>
    circle(x + 3, y + 5, r, '#000', { opacity: 0.35 }) +
    circle(x, y, r, metal) +
    around(16, x, y, () => stroke(`M${x} ${y - r + 1} v4`, '#77736b', 2)) +
    stroke(`M${x} ${y} V${y - r + 8}`, '#4a4640', 4)
  return [
    knob(300, 222, 27) + knob(222, 228, 19),
    rect(296, 60, 26, 96, 8, '#1b1917') + rect(300, 92, 18, 26, 4, metal),
    times(7, at => rect(328, 68 + at * 13, at % 3 ? 8 : 13, 2, 1, '#efe9da', { opacity: 0.7 })),
    ellipse(-322, 234, 10, 10, '#d9772f') + ellipse(-325, 231, 4, 4, '#ffd9a8'),
  ].join('')
}
