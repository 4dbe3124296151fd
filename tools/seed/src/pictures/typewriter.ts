import type { Drawing } from './scene.js'
import { circle, ellipse, group, path, rect, stroke, times } from './shapes.js'
import type { Sheet, Svg } from './sheet.js'

const GREEN = ['#3f6b60', '#7fab9b', '#d3e6db'] as const
const DARK = '#23201d'
/** Keys of each row, and how far it is from the middle's left. */
const ROWS = [10, 10, 9, 8] as const

/** A portable typewriter with a sheet of paper in it, from the front; 600 wide and 460 high. */
export const typewriter: Drawing = sheet => [paper(sheet), carriage(sheet), body(sheet), keys(sheet)].join('')

function paper(sheet: Sheet): Svg {
  const words = (y: number, ...lengths: number[]) => {
    let x = -118
    return lengths
      .map(length => {
        const svg = rect(x, y, length, 4, 1.5, DARK, { opacity: 0.7 })
        x += length + 9
        return svg
      })
      .join('')
  }
  return [
    path(
      'M-160 -262 C-164 -340 -156 -410 -150 -468 C-60 -478 60 -478 150 -468 C156 -410 164 -340 160 -262 Z',
      sheet.linear([0, 0, 0, 1], [0, '#fffaf0'], [0.7, '#f4ead4'], [1, '#cbb991']),
    ),
    words(-430, 34, 22, 48, 30, 26, 20) +
      words(-412, 22, 50, 30, 18, 52) +
      words(-394, 46, 16, 36, 44, 18) +
      words(-376, 28, 30, 20, 54, 22) +
      words(-358, 40, 26, 34) +
      words(-332, 18, 44, 26, 38, 24) +
      words(-314, 36, 20, 28),
  ].join('')
}

function carriage(sheet: Sheet): Svg {
  const roller = sheet.lying('#0f0d0c', '#3a3632', '#6b665f')
  const knob = (x: number) =>
    rect(x - 20, -306, 40, 62, 8, sheet.lying('#0f0d0c', '#2f2b28', '#77716a')) +
    times(6, at => stroke(`M${x - 16 + at * 6} -302 V-248`, '#000', 2, { opacity: 0.5 }))
  return [
    knob(-296) + knob(296),
    rect(-270, -296, 540, 44, 10, roller),
    rect(-282, -262, 564, 34, 8, sheet.linear([0, 0, 0, 1], [0, '#f4f1ea'], [0.5, '#b9b5ae'], [1, '#6d6a66'])),
    stroke('M-170 -306 H170', '#b9b5ae', 7) + stroke('M-170 -308 H170', '#fff', 2),
    circle(-96, -307, 8, '#2a2522') + circle(96, -307, 8, '#2a2522'),
    stroke('M-286 -270 C-330 -300 -352 -312 -372 -314', '#b9b5ae', 9) + ellipse(-374, -314, 14, 9, '#e9e5dc'),
  ].join('')
}

function body(sheet: Sheet): Svg {
  const [shade, base, light] = GREEN
  return [
    [-226, 186].map(x => rect(x, -14, 40, 16, 5, '#1b1816')).join(''),
    path(
      'M-262 -238 H262 C276 -238 282 -228 286 -214 L318 -40 C322 -18 314 -8 296 -8 H-296 C-314 -8 -322 -18 -318 -40 L-286 -214 C-282 -228 -276 -238 -262 -238 Z',
      sheet.linear([0, 0, 0.25, 1], [0, light], [0.35, base], [1, shade]),
    ),
    path('M-150 -238 H150 L132 -196 C90 -178 -90 -178 -132 -196 Z', DARK),
    times(17, at => stroke(`M${-104 + at * 13} -186 L${-40 + at * 5} -228`, '#8f8b84', 2.5)),
    [-206, 206].map(x => circle(x, -212, 20, DARK) + circle(x, -212, 7, '#8f8b84')).join(''),
    path('M-258 -176 H258 L290 -26 H-290 Z', sheet.linear([0, 0, 0, 1], [0, '#2f2b28'], [1, '#161412'])),
    stroke('M-270 -228 H-160 M160 -228 H270', '#fff', 4, { opacity: 0.55 }),
    rect(-52, -172, 104, 12, 3, '#c9a04a') + times(7, at => rect(-38 + at * 12, -168, 5, 4, 1, '#5b4413')),
  ].join('')
}

function keys(sheet: Sheet): Svg {
  const cap = sheet.radial([0.4, 0.3, 0.8], [0, '#fffaf0'], [0.7, '#e9dec6'], [1, '#b9a983'])
  const key = (x: number, y: number, index: number) =>
    group(
      `translate(${x} ${y})`,
      ellipse(2, 6, 17, 13, '#000', { opacity: 0.6 }),
      ellipse(0, 2, 17, 13, '#8f8464'),
      ellipse(0, 0, 17, 13, cap),
      stroke(index % 3 === 0 ? 'M-4 4 L0 -5 L4 4' : index % 3 === 1 ? 'M-4 -5 V5 H4' : 'M-4 -4 H4 M0 -4 V5', DARK, 2.2),
    )
  const rows = ROWS.map((count, row) =>
    times(count, at => key((at - (count - 1) / 2) * (44 + row * 2) + row * 6, -142 + row * 29, at + row)),
  )
  return (
    rows.join('') +
    rect(-140, -36, 280, 15, 7, sheet.linear([0, 0, 0, 1], [0, '#fffaf0'], [1, '#b9a983'])) +
    circle(-262, -56, 12, '#a5432a') +
    circle(262, -56, 12, '#a5432a')
  )
}
