import type { Drawing } from './scene.js'
import { faint, path, stroke, times } from './shapes.js'
import type { Sheet, Svg } from './sheet.js'

export interface ChairCover {
  /** The wool: shade, body, light. */
  readonly wool: readonly [string, string, string]
  readonly wood: readonly [string, string, string]
}

export const MOSS_WALNUT: ChairCover = {
  wool: ['#4b5a3c', '#74855c', '#a3b387'],
  wood: ['#3d2415', '#6d4427', '#a8764a'],
}
export const RUST_TEAK: ChairCover = {
  wool: ['#8a3b1e', '#bd5f35', '#e08f61'],
  wood: ['#70421d', '#ab7038', '#dba968'],
}

/** A low lounge chair, seen from the side and a little from the front; 560 wide and 520 high. */
export const chair =
  ({ wool, wood }: ChairCover): Drawing =>
  sheet => {
    const timber = sheet.linear([0, 0, 0.6, 1], [0, wood[2]], [0.5, wood[1]], [1, wood[0]])
    return [farSide(wood), back(sheet, wool), seat(sheet, wool), nearSide(timber, wood)].join('')
  }

const farSide = ([dark, base]: ChairCover['wood']): Svg =>
  [
    path('M196 -232 L222 -2 L206 -2 L176 -228 Z', dark),
    path('M-170 -240 L-204 -6 L-190 -4 L-152 -236 Z', dark),
    path('M-190 -276 C-60 -262 100 -268 232 -250 L230 -236 C100 -252 -60 -246 -190 -260 Z', base),
  ].join('')

function back(sheet: Sheet, [shade, base, light]: ChairCover['wool']): Svg {
  const cushion =
    'M-262 -486 C-240 -520 -196 -520 -172 -494 L-72 -200 C-70 -176 -92 -160 -120 -156 C-150 -152 -172 -164 -180 -186 Z'
  return [
    path(cushion, sheet.linear([0, 0.1, 1, 0.5], [0, light], [0.45, base], [1, shade])),
    weave(sheet, cushion, shade, light),
    stroke('M-250 -478 L-168 -192', shade, 3, { opacity: 0.5 }),
    stroke('M-232 -500 C-222 -512 -202 -510 -190 -494', light, 4, { opacity: 0.6 }),
    // Buttons pull the wool in.
    times(3, at => path(`M${-196 + at * 33} ${-440 + at * 86} a8 8 0 1 0 16 0 a8 8 0 1 0 -16 0`, shade)),
  ].join('')
}

function seat(sheet: Sheet, [shade, base, light]: ChairCover['wool']): Svg {
  const cushion =
    'M-176 -196 C-170 -226 -120 -236 -40 -234 C80 -232 190 -238 222 -216 C240 -202 238 -160 222 -146 C190 -128 60 -132 -60 -136 C-130 -138 -172 -156 -176 -196 Z'
  return [
    path(cushion, sheet.linear([0, 0, 0.15, 1], [0, light], [0.4, base], [1, shade])),
    weave(sheet, cushion, shade, light),
    stroke('M-170 -186 C-60 -176 120 -172 232 -186', shade, 4, { opacity: 0.6 }),
    stroke('M-160 -214 C-100 -230 120 -226 206 -222', light, 5, { opacity: 0.55 }),
  ].join('')
}

/** The threads of a coarse wool. */
const weave = (sheet: Sheet, outline: string, shade: string, light: string): Svg =>
  sheet.clip(
    `<path d="${outline}"/>`,
    faint(
      0.17,
      times(58, at =>
        stroke(`M-300 ${-530 + at * 7} L300 ${-500 + at * 7}`, at % 2 ? shade : light, 1.6, {
          'stroke-dasharray': '7 5',
          'stroke-dashoffset': at * 4,
        }),
      ),
    ),
  )

const nearSide = (timber: string, [dark, , light]: ChairCover['wood']): Svg =>
  [
    path('M-232 -150 L262 -128 L262 -112 L-232 -130 Z', timber),
    path('M-190 -262 L-240 0 L-222 2 L-164 -258 Z', timber),
    path('M226 -256 L256 2 L238 4 L200 -252 Z', timber),
    path(
      'M-252 -300 C-200 -312 -120 -290 0 -286 C110 -282 220 -296 274 -270 C288 -262 284 -246 268 -246 C180 -252 80 -254 -20 -256 C-120 -258 -200 -264 -246 -274 C-264 -280 -266 -296 -252 -300 Z',
      timber,
    ),
    stroke('M-246 -294 C-200 -302 -120 -282 0 -278 C110 -274 210 -288 264 -268', light, 4, { opacity: 0.85 }),
    stroke('M-180 -250 L-226 -10', light, 3, { opacity: 0.5 }) +
      stroke('M210 -246 L242 -10', light, 3, { opacity: 0.5 }),
    stroke('M-228 -148 L258 -126', light, 2.5, { opacity: 0.5 }),
    stroke('M-164 -258 L-172 -226 M200 -252 L206 -222', dark, 3, { opacity: 0.5 }),
  ].join('')
