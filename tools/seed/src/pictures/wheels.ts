import type { Drawing } from './scene.js'
import { around, circle, ellipse, group, path, ring, stroke } from './shapes.js'
import type { Sheet, Svg } from './sheet.js'

const ALLOY = ['#6d6a66', '#bdbab4', '#fbfaf7'] as const

/** Four forged wheels, two of them leaning on a pile of two; 640 wide and 380 high. */
export const wheels: Drawing = sheet =>
  [
    group('translate(-170 0)', lyingWheel(sheet, 0), lyingWheel(sheet, -96)),
    group('translate(206 -184) rotate(8) scale(0.94)', wheel(sheet)),
    group('translate(42 -178) rotate(-14)', wheel(sheet)),
  ].join('')

/** One wheel, its middle at the origin; 360 across. */
export function wheel(sheet: Sheet): Svg {
  const lip = sheet.linear([0, 0, 1, 1], [0, ALLOY[2]], [0.4, ALLOY[1]], [0.7, ALLOY[0]], [1, ALLOY[2]])
  const face = sheet.linear([0, 0, 1, 1], [0, ALLOY[2]], [0.5, ALLOY[1]], [1, ALLOY[0]])
  const spoke = () =>
    path(
      'M-12 -30 C-16 -70 -34 -104 -48 -134 L-24 -146 C-16 -112 -6 -86 0 -70 C6 -86 16 -112 24 -146 L48 -134 C34 -104 16 -70 12 -30 Z',
      face,
      { stroke: '#4a4743', 'stroke-width': 1.5 },
    )
  return [
    circle(0, 0, 180, lip),
    ring(0, 0, 178, '#fff', 3, { opacity: 0.8 }) + ring(0, 0, 158, ALLOY[0], 3),
    circle(0, 0, 156, sheet.radial([0.45, 0.4, 0.7], [0, '#3b3733'], [1, '#12100f'])),
    ring(0, 0, 118, '#5a554f', 22, { opacity: 0.5 }),
    around(8, 0, 0, spoke),
    circle(0, 0, 50, face) + ring(0, 0, 50, '#4a4743', 1.5),
    around(4, 0, 0, () => circle(0, -34, 8, '#2a2522') + circle(-1, -35, 3, '#8f8b84')),
    circle(0, 0, 20, sheet.radial([0.4, 0.35, 0.8], [0, '#4a4743'], [1, '#171513'])) + ring(0, 0, 12, '#d9772f', 2.5),
    path('M-152 -94 A180 180 0 0 1 -40 -174', 'none', {
      stroke: '#fff',
      'stroke-width': 8,
      'stroke-linecap': 'round',
      opacity: 0.75,
    }),
  ].join('')
}

/** A wheel that lies flat, its lower edge at `y`. */
function lyingWheel(sheet: Sheet, y: number): Svg {
  const barrel = sheet.round(ALLOY[0], ALLOY[1], ALLOY[2])
  return group(
    `translate(0 ${y})`,
    path('M-178 -88 V-18 C-178 6 178 6 178 -18 V-88 Z', barrel),
    path('M-160 -70 V-30 C-160 -12 160 -12 160 -30 V-70 Z', sheet.round('#4a4743', '#8f8b84', '#d6d3cc')),
    ellipse(0, -88, 178, 26, sheet.round(ALLOY[0], ALLOY[1], ALLOY[2])),
    ellipse(0, -88, 158, 20, '#1b1816'),
    stroke('M-150 -88 H150 M-90 -102 L90 -74 M90 -102 L-90 -74', ALLOY[1], 9),
    ellipse(0, -88, 44, 8, ALLOY[2]),
    stroke('M-176 -18 C-176 4 176 4 176 -18', '#fff', 2, { opacity: 0.5 }),
  )
}
