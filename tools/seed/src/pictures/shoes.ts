import type { Drawing } from './scene.js'
import { circle, ellipse, faint, group, path, stroke, times } from './shapes.js'
import type { Sheet, Svg } from './sheet.js'

export interface ShoeColours {
  /** The suede: shade, body, light. */
  readonly suede: readonly [string, string, string]
  readonly flash: string
  readonly lining: string
}

export const RUST: ShoeColours = { suede: ['#8a3d1f', '#c06a3c', '#e39b6d'], flash: '#f4ead6', lining: '#e9d3b0' }
export const MOSS: ShoeColours = { suede: ['#39472f', '#65774f', '#98a97d'], flash: '#e9b04a', lining: '#d9cfb2' }

/** A pair of running shoes, one before the other; 640 wide and 300 high. */
export const shoes =
  (colours: ShoeColours): Drawing =>
  sheet =>
    group('translate(96 -34) scale(0.94)', shoe(sheet, colours), path(UPPER, '#1b100a', { opacity: 0.12 })) +
    group('translate(-56 0)', shoe(sheet, colours))

const UPPER =
  'M-262 -52 C-276 -110 -268 -170 -246 -226 C-240 -244 -222 -246 -212 -232 C-196 -206 -158 -202 -128 -214 C-112 -222 -100 -222 -92 -210 C-66 -172 -8 -138 60 -122 C140 -104 236 -104 262 -66 C268 -58 268 -52 264 -46 Z'

function shoe(sheet: Sheet, { suede: [shade, base, light], flash, lining }: ShoeColours): Svg {
  const hide = sheet.linear([0, 0, 0.35, 1], [0, light], [0.4, base], [1, shade])
  const dark = sheet.linear([0, 0, 0.4, 1], [0, base], [1, shade])
  return [
    sole(sheet),
    path(
      'M-240 -232 C-226 -258 -196 -256 -182 -236 C-160 -210 -120 -214 -98 -232 C-90 -214 -100 -200 -128 -196 C-170 -190 -214 -196 -240 -232 Z',
      lining,
    ),
    path(UPPER, hide),
    path('M104 -112 C170 -104 240 -100 262 -66 C268 -58 268 -52 264 -46 L96 -46 C84 -70 88 -96 104 -112 Z', dark),
    path('M-262 -52 C-274 -104 -268 -160 -252 -206 C-226 -180 -206 -120 -196 -46 Z', dark),
    path('M-70 -46 C-58 -92 -30 -130 12 -138 L-92 -210 C-96 -160 -120 -90 -150 -46 Z', dark, { opacity: 0.75 }),
    // Three stripes of leather.
    times(3, at =>
      path(`M${-146 + at * 40} -46 L${-82 + at * 44} ${-186 + at * 26} l16 9 L${-122 + at * 40} -46 Z`, flash),
    ),
    stitching(light),
    laces(flash, shade),
    faint(0.5, path('M-250 -210 C-240 -236 -226 -240 -214 -226', 'none', { stroke: '#fff', 'stroke-width': 4 })),
    path('M108 -100 C170 -94 226 -90 250 -68', 'none', {
      stroke: '#fff',
      'stroke-width': 5,
      opacity: 0.22,
      'stroke-linecap': 'round',
    }),
  ].join('')
}

function sole(sheet: Sheet): Svg {
  const foam = sheet.linear([0, 0, 0, 1], [0, '#fffaf0'], [0.55, '#efe3cc'], [1, '#cdb894'])
  return [
    ellipse(0, -4, 270, 9, '#1b100a', { opacity: 0.35 }),
    path(
      'M-276 -24 C-284 -10 -276 0 -262 0 L-110 0 C-70 0 -60 -8 -20 -8 C20 -8 40 0 90 0 L236 0 C262 0 276 -12 272 -30 L260 -30 Z',
      '#8f5a2e',
    ),
    path(
      'M-272 -62 C-286 -44 -286 -22 -272 -14 L262 -12 C282 -18 284 -44 268 -58 C180 -40 60 -44 -40 -46 C-130 -48 -220 -44 -272 -62 Z',
      foam,
    ),
    stroke('M-270 -36 C-120 -26 120 -26 270 -36', '#c4ad84', 2.5),
    times(19, at => stroke(`M${-250 + at * 27} -2 v-7`, '#6b3f1c', 5)),
  ].join('')
}

const stitching = (thread: string): Svg =>
  faint(
    0.8,
    stroke(
      'M98 -52 C88 -72 92 -94 108 -106 M-204 -52 C-214 -116 -232 -172 -250 -196 M-62 -52 C-50 -94 -26 -124 6 -132',
      thread,
      2,
      { 'stroke-dasharray': '6 4' },
    ),
  )

function laces(flash: string, shade: string): Svg {
  const eyelets = times(6, at => circle(-86 + at * 27, -184 + at * 13, 5, shade))
  const rows = times(
    6,
    at =>
      stroke(`M${-96 + at * 27} ${-198 + at * 13.5} q22 4 22 26`, flash, 9) +
      stroke(`M${-95 + at * 27} ${-200 + at * 13.5} q22 4 22 22`, '#fff', 2, { opacity: 0.5 }),
  )
  return [
    path('M-100 -216 C-60 -178 0 -146 66 -128 L58 -112 C-10 -128 -70 -160 -106 -200 Z', shade),
    eyelets,
    rows,
    stroke('M-98 -206 C-140 -252 -170 -224 -112 -206 C-86 -250 -46 -240 -94 -204', flash, 7),
    stroke('M-104 -204 C-130 -186 -138 -172 -134 -156', flash, 6),
  ].join('')
}
