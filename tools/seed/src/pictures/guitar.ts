import type { Drawing } from './scene.js'
import { circle, faint, path, rect, ring, stroke, times } from './shapes.js'
import type { Sheet, Svg } from './sheet.js'

export interface GuitarWood {
  /** The top: light, body, edge. */
  readonly top: readonly [string, string, string]
  readonly neck: readonly [string, string]
  readonly binding: string
  readonly rosette: string
}

export const SPRUCE: GuitarWood = {
  top: ['#f5d89a', '#dca758', '#8e5424'],
  neck: ['#6d4128', '#472815'],
  binding: '#f4e8cf',
  rosette: '#3d2a1c',
}
export const CEDAR: GuitarWood = {
  top: ['#d98f52', '#b0622f', '#5d2c14'],
  neck: ['#4c2d1c', '#2c180d'],
  binding: '#3a2013',
  rosette: '#e2b35a',
}

const BODY =
  'M0 -330 C64 -330 114 -302 117 -252 C119 -214 94 -196 95 -164 C97 -128 160 -120 161 -44 C162 24 84 58 0 58 C-84 58 -162 24 -161 -44 C-160 -120 -97 -128 -95 -164 C-94 -196 -119 -214 -117 -252 C-114 -302 -64 -330 0 -330 Z'

/** A guitar from the front, upright on its lower end; 320 wide and 860 high. */
export const guitar =
  (wood: GuitarWood): Drawing =>
  sheet =>
    [body(sheet, wood), neck(sheet, wood), strings(wood)].join('')

function body(sheet: Sheet, { top: [light, base, edge], binding, rosette }: GuitarWood): Svg {
  const grain = times(26, at =>
    stroke(`M${-160 + at * 13} -340 C${-158 + at * 13} -200 ${-164 + at * 13} -100 ${-160 + at * 13} 70`, edge, 1.4),
  )
  const top = sheet.radial([0.42, 0.62, 0.62], [0, light], [0.6, base], [1, edge])
  return [
    path(BODY, binding, { stroke: edge, 'stroke-width': 5 }),
    `<g transform="translate(0 -4) scale(0.965 0.968)">${path(BODY, top)}</g>`,
    sheet.clip(`<path d="${BODY}"/>`, faint(0.16, grain)),
    circle(0, -214, 48, '#1c110a') +
      ring(0, -214, 55, rosette, 7) +
      ring(0, -214, 64, binding, 2.5) +
      ring(0, -214, 48, '#000', 4, { opacity: 0.4 }),
    path('M-88 -60 C-60 -72 60 -72 88 -60 L84 -38 C56 -46 -56 -46 -84 -38 Z', '#2b190f'),
    rect(-58, -62, 116, 6, 3, '#f4ecd8'),
    times(6, at => circle(-38 + at * 15, -48, 3.6, '#f4ecd8')),
    path('M-120 -258 C-124 -214 -92 -196 -96 -160', 'none', {
      stroke: '#fff',
      'stroke-width': 5,
      opacity: 0.22,
      'stroke-linecap': 'round',
    }),
    path('M-152 -52 C-152 6 -98 44 -30 48', 'none', {
      stroke: '#fff',
      'stroke-width': 6,
      opacity: 0.2,
      'stroke-linecap': 'round',
    }),
  ].join('')
}

function neck(sheet: Sheet, { neck: [light, dark], binding }: GuitarWood): Svg {
  const board = sheet.linear([0, 0, 1, 0], [0, '#3a2417'], [0.3, '#241710'], [1, '#120b07'])
  const head = sheet.linear([0, 0, 1, 1], [0, light], [1, dark])
  const frets = times(15, at => {
    const y = Math.round(-704 + 520 * (1 - 0.5 ** (at / 9)) * 1.36)
    return y < -262 ? stroke(`M-24 ${y} H24`, '#d8cfba', 2.6) : ''
  })
  const tuner = (side: number, y: number) =>
    rect(side * 44 - 12, y - 9, 24, 18, 6, binding) + rect(side * 34 - 8, y - 3, 16, 6, 2, '#b9b2a2')
  return [
    path('M-25 -716 L-28 -264 Q0 -252 28 -264 L25 -716 Z', board),
    frets,
    [-640, -580, -470, -404].map(y => circle(0, y, 5, binding)).join(''),
    [-1, 1].map(side => [-832, -790, -748].map(y => tuner(side, y)).join('')).join(''),
    path('M-26 -716 L-38 -850 Q-34 -866 -16 -860 Q0 -872 16 -860 Q34 -866 38 -850 L26 -716 Z', head),
    rect(-26, -720, 52, 8, 2, '#f4ecd8'),
    [-1, 1]
      .map(side =>
        [-832, -790, -748].map(y => circle(side * 20, y, 7, '#d8d0be') + circle(side * 20, y, 3, '#6d6658')).join(''),
      )
      .join(''),
  ].join('')
}

const strings = ({ binding }: GuitarWood): Svg =>
  times(6, at =>
    stroke(`M${-19 + at * 7.6} -718 L${-38 + at * 15} -58`, at < 3 ? '#e3c48a' : binding, 2.4 - at * 0.26, {
      opacity: 0.9,
    }),
  )
