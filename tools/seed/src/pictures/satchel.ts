import type { Drawing } from './scene.js'
import { circle, faint, path, rect, stroke, times } from './shapes.js'
import type { Sheet, Svg } from './sheet.js'

const HIDE = ['#5a2f17', '#99582d', '#cf8c55'] as const
const THREAD = '#f0dcae'
const BRASS = ['#7a5416', '#d9ae56', '#fbe7ae'] as const

/** A saddle-stitched satchel with two straps; 540 wide and 520 high with its handle. */
export const satchel: Drawing = sheet =>
  [strap(sheet), body(sheet), flap(sheet), closing(sheet, -132), closing(sheet, 132)].join('')

function strap(sheet: Sheet): Svg {
  const leather = sheet.linear([0, 0, 0, 1], [0, HIDE[2]], [0.5, HIDE[1]], [1, HIDE[0]])
  return [
    // The shoulder strap lies behind and falls over the table.
    stroke('M-226 -330 C-330 -420 -360 -200 -330 -60 C-318 -10 -352 6 -420 2', HIDE[0], 24),
    stroke('M-226 -330 C-330 -420 -360 -200 -330 -60 C-318 -10 -352 6 -420 2', HIDE[1], 18),
    stroke('M-90 -376 C-90 -476 90 -476 90 -376', HIDE[0], 30),
    stroke('M-90 -376 C-90 -472 90 -472 90 -376', leather, 22),
    stroke('M-84 -384 C-80 -456 80 -456 84 -384', THREAD, 2, { 'stroke-dasharray': '7 5', opacity: 0.7 }),
  ].join('')
}

function body(sheet: Sheet): Svg {
  return [
    path(
      'M-262 -352 C-272 -240 -276 -100 -268 -26 C-266 -8 -254 0 -236 0 H236 C254 0 266 -8 268 -26 C276 -100 272 -240 262 -352 Z',
      sheet.linear([0, 0, 0.25, 1], [0, HIDE[2]], [0.4, HIDE[1]], [1, HIDE[0]]),
    ),
    path('M-240 -150 C-244 -100 -244 -60 -240 -26 H240 C244 -60 244 -100 240 -150 Z', '#3a1c0c', { opacity: 0.2 }),
    stroke('M-250 -120 C-252 -80 -252 -50 -248 -20 H248 C252 -50 252 -80 250 -120', THREAD, 2.5, {
      'stroke-dasharray': '9 6',
      opacity: 0.75,
    }),
    grain(
      sheet,
      '<path d="M-262 -352 C-272 -240 -276 -100 -268 -26 C-266 -8 -254 0 -236 0 H236 C254 0 266 -8 268 -26 C276 -100 272 -240 262 -352 Z"/>',
    ),
  ].join('')
}

function flap(sheet: Sheet): Svg {
  const outline =
    'M-268 -352 C-268 -384 -250 -396 -220 -396 H220 C250 -396 268 -384 268 -352 C274 -280 272 -220 262 -172 C258 -154 244 -146 226 -146 H-226 C-244 -146 -258 -154 -262 -172 C-272 -220 -274 -280 -268 -352 Z'
  return [
    `<g transform="translate(4 12)" opacity="0.35">${path(outline, '#2a1408')}</g>`,
    path(outline, sheet.linear([0, 0, 0.3, 1], [0, HIDE[2]], [0.5, HIDE[1]], [1, '#74401f'])),
    grain(sheet, `<path d="${outline}"/>`),
    stroke(
      'M-254 -350 C-260 -280 -258 -222 -249 -176 C-246 -164 -238 -160 -224 -160 H224 C238 -160 246 -164 249 -176 C258 -222 260 -280 254 -350',
      THREAD,
      2.5,
      { 'stroke-dasharray': '9 6', opacity: 0.85 },
    ),
    stroke('M-222 -388 H222', '#fff', 5, { opacity: 0.28 }),
    path('M-250 -360 C-180 -380 -60 -384 20 -380 C-80 -340 -200 -300 -258 -250 Z', '#fff', { opacity: 0.1 }),
  ].join('')
}

const grain = (sheet: Sheet, shape: Svg): Svg =>
  sheet.clip(
    shape,
    faint(
      0.12,
      times(26, at =>
        stroke(
          `M-280 ${-400 + at * 16} C-120 ${-408 + at * 17} 100 ${-390 + at * 15} 280 ${-402 + at * 16}`,
          HIDE[0],
          3,
          { 'stroke-dasharray': `${2 + (at % 3)} ${9 + (at % 5)}` },
        ),
      ),
    ),
  )

function closing(sheet: Sheet, x: number): Svg {
  const leather = sheet.linear([0, 0, 1, 0], [0, HIDE[0]], [0.25, HIDE[2]], [0.6, HIDE[1]], [1, HIDE[0]])
  const brass = sheet.linear([0, 0, 1, 1], [0, BRASS[2]], [0.5, BRASS[1]], [1, BRASS[0]])
  return [
    rect(x - 21, -394, 46, 300, 8, '#2a1408', { opacity: 0.35 }),
    path(`M${x - 23} -396 H${x + 23} V-92 Q${x} -60 ${x - 23} -92 Z`, leather),
    stroke(`M${x - 16} -390 V-100 M${x + 16} -390 V-100`, THREAD, 2, { 'stroke-dasharray': '7 5', opacity: 0.8 }),
    times(3, at => circle(x, -128 + at * 17, 3.4, '#2a1408')),
    rect(x - 36, -196, 72, 50, 9, 'none', { stroke: brass, 'stroke-width': 9 }),
    rect(x - 35, -197, 70, 48, 8, 'none', { stroke: '#fff', 'stroke-width': 1.6, opacity: 0.7 }),
    rect(x - 5, -196, 10, 50, 3, brass),
    rect(x - 29, -226, 58, 16, 4, leather, { stroke: HIDE[0], 'stroke-width': 1.5 }),
  ].join('')
}
