import type { Drawing } from './scene.js'
import { circle, ellipse, faint, group, path, rect, ring, stroke, times } from './shapes.js'
import type { Sheet, Svg } from './sheet.js'

/** Cloth of each book, and how high and thick it stands. */
const SHELF = [
  { cloth: '#7d2f26', height: 372, width: 62, bands: 2 },
  { cloth: '#2f4a40', height: 392, width: 74, bands: 3 },
  { cloth: '#c4913f', height: 350, width: 54, bands: 1 },
  { cloth: '#39424e', height: 384, width: 82, bands: 2 },
  { cloth: '#a9583a', height: 362, width: 58, bands: 3 },
  { cloth: '#5d4a63', height: 376, width: 66, bands: 1 },
] as const
const LEANING = { cloth: '#3d5a52', height: 366, width: 60, bands: 2 } as const
const GOLD = '#e6c274'

/** Seven books in cloth on a table, the last one leaning; 560 wide and 392 high. */
export const shelf: Drawing = sheet => {
  let x = -300
  const standing = SHELF.map(book => {
    const svg = group(`translate(${x} 0)`, spine(sheet, book))
    x += book.width + 3
    return svg
  })
  return [...standing, group(`translate(${x + 114} 0) rotate(-18)`, spine(sheet, LEANING))].join('')
}

function spine(
  sheet: Sheet,
  { cloth, height, width, bands }: { cloth: string; height: number; width: number; bands: number },
): Svg {
  const gilt = (y: number) => rect(0, y, width, 3, 0, GOLD) + rect(0, y + 7, width, 1.5, 0, GOLD)
  const title = (y: number, length: number) => rect((width - length) / 2, y, length, 5, 2, GOLD)
  return [
    rect(0, -height, width, height, 5, cloth),
    faint(
      0.16,
      times(Math.floor(height / 5), at => rect(0, -height + at * 5, width, 1, 0, '#fff')),
    ),
    rect(
      0,
      -height,
      width,
      height,
      5,
      sheet.linear([0, 0, 1, 0], [0, '#000', 0.42], [0.3, '#fff', 0.24], [0.55, '#fff', 0], [1, '#000', 0.46]),
    ),
    times(bands, at => gilt(-height + 22 + at * 14) + gilt(-34 - at * 14)),
    title(-height + 92, width * 0.62) + title(-height + 106, width * 0.44) + title(-height + 120, width * 0.54),
    group(
      `translate(${width / 2} ${-height / 2 + 40})`,
      ring(0, 0, width / 4, GOLD, 1.6),
      path(`M0 -${width / 6} C8 -4 8 4 0 ${width / 6} C-8 4 -8 -4 0 -${width / 6} Z`, GOLD),
    ),
    title(-66, width * 0.4),
  ].join('')
}

/** A field guide that lies open; its fold at the origin, 640 wide and 430 high. */
export const fieldGuide: Drawing = sheet => {
  const page = (side: 1 | -1) =>
    path(
      `M0 -200 C${side * 90} -226 ${side * 220} -224 ${side * 310} -206 L${side * 310} 206 C${side * 220} 190 ${side * 90} 188 0 214 Z`,
      sheet.linear(
        [0, 0, 1, 0],
        ...(side < 0
          ? ([
              [0, '#f3e7cb'],
              [0.8, '#efe2c4'],
              [1, '#c9b78f'],
            ] as const)
          : ([
              [0, '#cdbb94'],
              [0.2, '#f2e6ca'],
              [1, '#ecdebd'],
            ] as const)),
      ),
    )
  const lines = times(15, at => rect(56, -150 + at * 21, at % 5 === 4 ? 130 : 214, 5, 2, '#8d7c5c', { opacity: 0.55 }))
  const stain = ellipse(
    236,
    128,
    90,
    70,
    sheet.radial([0.5, 0.5, 0.5], [0, '#b08a52', 0.1], [0.86, '#a57d44', 0.3], [1, '#a57d44', 0]),
  )
  return [
    rect(-330, -220, 660, 446, 12, '#4b5a3c'),
    rect(-330, -220, 660, 446, 12, sheet.linear([0, 0, 1, 1], [0, '#fff', 0.18], [1, '#000', 0.3])),
    times(4, at => rect(-316 + at * 2, -204 + at * 2, 632 - at * 4, 416 - at * 2, 6, at % 2 ? '#e2d2ad' : '#c9b78f')),
    page(-1) + page(1),
    rect(56, -176, 150, 10, 3, '#5b4a30', { opacity: 0.75 }) + lines,
    group('translate(-164 0)', mushrooms(sheet)),
    stain,
    stroke('M0 -200 V214', '#8d7c5c', 3, { opacity: 0.5 }),
    stroke('M232 96 q14 -10 26 0 t24 -2', '#55606b', 2.5) + stroke('M236 112 q10 -8 20 0 t30 -2', '#55606b', 2.5),
  ].join('')
}

function mushrooms(sheet: Sheet): Svg {
  const stalk = sheet.linear([0, 0, 1, 0], [0, '#e9dab8'], [0.4, '#fbf3df'], [1, '#a98f62'])
  const cap = (colours: readonly [string, string]) => sheet.radial([0.38, 0.3, 0.8], [0, colours[0]], [1, colours[1]])
  const one = (x: number, y: number, size: number, colours: readonly [string, string], spots: boolean) =>
    group(
      `translate(${x} ${y}) scale(${size})`,
      path('M-82 6 C-78 -62 -36 -92 0 -92 C36 -92 78 -62 82 6 Q0 26 -82 6 Z', cap(colours)),
      ellipse(0, 6, 78, 13, '#d9c79f') + ellipse(0, 3, 60, 7, '#b59c6d'),
      path('M-16 4 C-22 40 -26 70 -32 92 Q0 108 32 92 C26 70 22 40 16 0 Z', stalk),
      path('M-30 36 Q0 54 30 36 L26 48 Q0 62 -26 48 Z', '#e3d3b0'),
      spots
        ? circle(-30, -46, 9, '#f8efdc') +
            circle(8, -68, 8, '#f8efdc') +
            circle(34, -34, 10, '#f8efdc') +
            circle(-52, -14, 6, '#f8efdc') +
            circle(-2, -26, 7, '#f8efdc')
        : '',
    )
  return [
    one(-44, -60, 1, ['#d9593b', '#96291b'], true),
    one(72, -26, 0.62, ['#d19a55', '#8d5a24'], false),
    one(-66, 122, 0.5, ['#e6c983', '#b28435'], false),
    one(48, 124, 0.66, ['#8d6a4a', '#553a26'], false),
    times(3, at => rect(-108 + at * 82, 184, 54, 4, 2, '#8d7c5c', { opacity: 0.7 })),
  ].join('')
}
