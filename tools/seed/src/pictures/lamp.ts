import type { Drawing } from './scene.js'
import { circle, ellipse, group, path, rect, stroke } from './shapes.js'
import type { Sheet } from './sheet.js'

const WARM = '#fff2c4'

export interface LampFinish {
  /** Shade and arms: dark, body, light. */
  readonly shade: readonly [string, string, string]
  readonly arm: readonly [string, string, string]
  readonly inside: string
}

export const BRASS: LampFinish = {
  shade: ['#7a5416', '#c8963c', '#f8e2a0'],
  arm: ['#6d4a14', '#b88631', '#f3da94'],
  inside: '#fff3cf',
}
export const BOTTLE_GREEN: LampFinish = {
  shade: ['#0f2f23', '#23604a', '#7fb39a'],
  arm: ['#55504a', '#a39c91', '#ece7dc'],
  inside: '#fffaf0',
}

/** A jointed desk lamp that shines to the left; 470 wide and 540 high. */
export const lamp =
  ({ shade, arm, inside }: LampFinish): Drawing =>
  sheet => {
    const tube = sheet.linear([0, 0, 1, 0.4], [0, arm[0]], [0.35, arm[2]], [0.6, arm[1]], [1, arm[0]])
    return [
      glow(sheet),
      stroke('M196 -20 C300 -8 330 -10 420 4', '#3a2b20', 7),
      ellipse(110, -14, 122, 24, sheet.linear([0, 0, 1, 0], [0, arm[0]], [0.3, arm[2]], [0.6, arm[1]], [1, arm[0]])),
      ellipse(110, -26, 112, 20, sheet.linear([0, 0, 1, 0], [0, shade[1]], [0.3, shade[2]], [1, shade[0]])),
      rect(98, -58, 24, 34, 8, tube),
      stroke('M110 -52 L196 -282', tube, 15),
      stroke('M196 -282 L-30 -462', tube, 14),
      stroke('M116 -76 L186 -262', '#fff', 2.5, { opacity: 0.4 }),
      stroke('M180 -300 L-16 -456', '#fff', 2.5, { opacity: 0.4 }),
      joint(sheet, 196, -282, arm) + joint(sheet, 110, -56, arm),
      group('translate(-46 -462) rotate(26)', head(sheet, shade, inside)),
      joint(sheet, -28, -464, arm),
    ].join('')
  }

const joint = (sheet: Sheet, x: number, y: number, [dark, base, light]: LampFinish['arm']) =>
  circle(x, y, 21, sheet.radial([0.35, 0.3, 0.8], [0, light], [0.5, base], [1, dark])) +
  circle(x, y, 7, dark) +
  stroke(`M${x - 4} ${y - 3} L${x + 4} ${y + 3}`, light, 2)

function head(sheet: Sheet, [dark, base, light]: LampFinish['shade'], inside: string) {
  const spun = sheet.linear([0, 0, 1, 0], [0, dark], [0.26, light], [0.42, base], [0.8, base], [1, dark])
  return [
    ellipse(0, 120, 122, 30, dark),
    ellipse(0, 121, 114, 24, sheet.radial([0.5, 0.5, 0.6], [0, '#ffffff'], [0.5, inside], [1, '#e9c98a'])),
    ellipse(0, 112, 40, 18, '#fffdf4'),
    path('M-26 -66 C-30 -20 -110 40 -122 120 Q0 74 122 120 C110 40 30 -20 26 -66 Z', spun),
    path('M-122 120 Q0 74 122 120 L120 126 Q0 82 -120 126 Z', light, { opacity: 0.55 }),
    rect(-28, -92, 56, 34, 10, spun) + rect(-14, -108, 28, 20, 8, base),
    path('M-44 0 C-70 40 -92 70 -98 104', 'none', {
      stroke: '#fff',
      'stroke-width': 7,
      opacity: 0.35,
      'stroke-linecap': 'round',
    }),
  ].join('')
}

/** What it lights: the air around its mouth, and the table. */
const glow = (sheet: Sheet) =>
  ellipse(-130, -300, 230, 190, sheet.radial([0.5, 0.4, 0.5], [0, WARM, 0.6], [0.5, WARM, 0.2], [1, WARM, 0])) +
  ellipse(-160, -4, 320, 48, sheet.radial([0.5, 0.5, 0.5], [0, WARM, 0.9], [0.5, WARM, 0.45], [1, WARM, 0]))
