import type { Drawing } from './scene.js'
import { ellipse, faint, group, path, stroke, times } from './shapes.js'
import type { Sheet, Svg } from './sheet.js'

export interface Glaze {
  /** Dark side, body, light of the glaze. */
  readonly glaze: readonly [string, string, string]
  /** Where the glaze runs thin, at the rim and the shoulder's throwing rings. */
  readonly thin: string
  readonly clay: string
}

export const CELADON: Glaze = { glaze: ['#55725f', '#9ab59c', '#e3eedc'], thin: '#a27b4f', clay: '#b48a63' }
export const TENMOKU: Glaze = { glaze: ['#120d0b', '#33261f', '#8d735c'], thin: '#a4552a', clay: '#8d6a4d' }

const ROUND =
  'M-58 -430 C-54 -404 -62 -380 -96 -340 C-150 -280 -168 -220 -152 -150 C-138 -84 -98 -34 -78 0 L78 0 C98 -34 138 -84 152 -150 C168 -220 150 -280 96 -340 C62 -380 54 -404 58 -430 Z'
const TALL =
  'M-50 -520 C-44 -480 -52 -440 -76 -400 C-112 -340 -118 -260 -106 -180 C-96 -110 -78 -40 -66 0 L66 0 C78 -40 96 -110 106 -180 C118 -260 112 -340 76 -400 C52 -440 44 -480 50 -520 Z'

/** A thrown vase with a branch or two in it: the round one is 340 wide and 430 high, the tall one 230 and 520. */
export const vase =
  (shape: 'round' | 'tall', colours: Glaze, branch: (sheet: Sheet) => Svg): Drawing =>
  sheet => {
    const outline = shape === 'round' ? ROUND : TALL
    const [top, mouth] = shape === 'round' ? [-430, 58] : [-520, 50]
    const { glaze, thin, clay } = colours
    const side = sheet.linear(
      [0, 0, 1, 0],
      [0, glaze[0]],
      [0.18, glaze[1]],
      [0.32, glaze[2]],
      [0.5, glaze[1]],
      [1, glaze[0]],
    )
    const rings = times(24, at =>
      stroke(`M-200 ${-20 - at * 22} Q0 ${0 - at * 22} 200 ${-20 - at * 22}`, at % 3 ? glaze[0] : thin, 2),
    )
    return [
      group(`translate(0 ${top}) scale(1.45)`, branch(sheet)),
      path(outline, side),
      sheet.clip(
        `<path d="${outline}"/>`,
        [
          faint(0.16, rings),
          path('M-220 10 V-20 Q0 6 220 -20 V10 Z', clay),
          path(
            'M-220 10 V-20 Q0 6 220 -20 V10 Z',
            sheet.linear([0, 0, 1, 0], [0.2, '#000', 0.4], [0.42, '#fff', 0.12], [0.8, '#000', 0.45]),
          ),
          ellipse(
            -0.92 * mouth,
            top * 0.52,
            17,
            -top * 0.24,
            sheet.radial([0.5, 0.5, 0.5], [0, '#fff', 0.75], [0.6, '#fff', 0.3], [1, '#fff', 0]),
          ),
          path('M140 -330 C170 -220 150 -100 80 10 L220 10 V-330 Z', '#1a120c', { opacity: 0.16 }),
        ].join(''),
      ),
      ellipse(0, top, mouth, 13, thin),
      ellipse(0, top + 1, mouth - 9, 8, '#17100b'),
    ].join('')
  }

/** Branches of a tree in bud. */
export const blossom = (sheet: Sheet): Svg => {
  const petal = sheet.radial([0.4, 0.35, 0.7], [0, '#fffaf2'], [1, '#ecc9b4'])
  const flower = (x: number, y: number, size: number) =>
    group(
      `translate(${x} ${y}) scale(${size})`,
      ...[0, 72, 144, 216, 288].map(
        angle => `<ellipse rx="9" ry="12" cy="-11" fill="${petal}" transform="rotate(${angle})"/>`,
      ),
      '<circle r="4" fill="#c98a3a"/>',
    )
  const twig = '#4b3425'
  return [
    stroke('M-6 10 C-10 -60 -60 -90 -86 -150', twig, 7) +
      stroke('M-34 -74 C-20 -100 -26 -130 -14 -160', twig, 5) +
      stroke('M10 10 C24 -50 80 -70 120 -66', twig, 6),
    flower(-86, -150, 1.2) +
      flower(-62, -108, 0.9) +
      flower(-14, -160, 1) +
      flower(-24, -118, 0.7) +
      flower(120, -68, 1.15) +
      flower(78, -60, 0.85) +
      flower(52, -42, 0.65),
  ].join('')
}

/** Long stems of dry grass. */
export const grass = (sheet: Sheet): Svg => {
  const ear = sheet.linear([0, 0, 1, 1], [0, '#e5c583'], [1, '#a97c3c'])
  const stem = (dx: number, height: number) =>
    stroke(`M0 12 C${dx * 0.2} -${height * 0.5} ${dx * 0.7} -${height * 0.8} ${dx} -${height}`, '#9a7a42', 4) +
    group(`translate(${dx} -${height}) rotate(${dx / 3})`, path('M0 30 C-14 6 -10 -34 0 -52 C10 -34 14 6 0 30 Z', ear))
  return stem(-70, 56) + stem(-26, 78) + stem(22, 70) + stem(74, 48)
}
