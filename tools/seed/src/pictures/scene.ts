import { ellipse, faint, group, path, rect } from './shapes.js'
import { type Paint, Sheet, type Svg } from './sheet.js'

export type { Svg } from './sheet.js'

const WIDTH = 1200
const HEIGHT = 800
/** Where the table meets the wall, and where things stand on it. */
const HORIZON = 560
const STAND = 668
const SUN = '#fff4d8'
/** Pictures are drawn on 1200 by 800 and kept a little smaller: still more than a listing's box holds. */
const KEPT = { width: 960, height: 640 }

/** Wall and table, each light to dark. One window lights all of them from the left. */
const ROOMS = {
  oat: { wall: ['#f1e8d8', '#d8c6a8'], table: ['#cfa274', '#a97b50'] },
  clay: { wall: ['#e9c3a6', '#cb9372'], table: ['#f0e4d2', '#d3bd9f'] },
  sage: { wall: ['#cfd2b8', '#a5ab8a'], table: ['#e9dec9', '#c9b797'] },
  dusk: { wall: ['#c5cbca', '#939e9f'], table: ['#b98e66', '#8d6543'] },
  rose: { wall: ['#edd2c3', '#d4a792'], table: ['#c08d69', '#946447'] },
  ochre: { wall: ['#ecca86', '#cd9d4d'], table: ['#f3e8d6', '#d9c5a4'] },
  moss: { wall: ['#7f8c70', '#566450'], table: ['#caa27a', '#98704c'] },
  ink: { wall: ['#57504a', '#332e2a'], table: ['#8a6446', '#5f422d'] },
} as const satisfies Record<string, { wall: readonly [string, string]; table: readonly [string, string] }>

export type Room = keyof typeof ROOMS

/**
 * Draws an item around the point where it stands: x to the right, y downwards, so that everything is above zero height
 * at negative y. A unit is a pixel of the finished picture.
 */
export type Drawing = (sheet: Sheet) => Svg

export interface View {
  readonly scale?: number
  /** Where the item stands from the middle of the table. */
  readonly x?: number
  readonly y?: number
  readonly turn?: number
}

/** An item on the table before the wall. */
export function onTable(room: Room, draw: Drawing, { scale = 1, x = 0, y = 0, turn = 0 }: View = {}): Svg {
  const sheet = new Sheet()
  const item = draw(sheet)
  const place = `translate(${WIDTH / 2 + x} ${STAND + y}) scale(${scale}) rotate(${turn})`
  return picture(
    sheet,
    wallAndTable(sheet, room),
    // Where it touches the table it is darkest.
    `<g transform="translate(${WIDTH / 2 + x + 4} ${STAND + y + 2}) matrix(1 0 -0.2 0.035 0 0) scale(${scale})" filter="${sheet.shadow(5)}" opacity="0.5">${item}</g>`,
    // The sun throws the shadow over the table, away from the window.
    `<g transform="translate(${WIDTH / 2 + x} ${STAND + y - 2}) matrix(1 0 -0.72 0.2 0 0) scale(${scale})" filter="${sheet.shadow(7)}" opacity="0.34">${item}</g>`,
    group(place, item),
  )
}

/** An item that lies on cloth, seen from above. `place` says where its standing point comes to lie. */
export function flatLay(room: Room, draw: Drawing, { scale = 1, x = 0, y = 0, turn = 0 }: View = {}): Svg {
  const sheet = new Sheet()
  const item = draw(sheet)
  const at = (dx: number, dy: number) =>
    `translate(${WIDTH / 2 + x + dx} ${HEIGHT / 2 + y + dy}) rotate(${turn}) scale(${scale})`
  return picture(
    sheet,
    cloth(sheet, room),
    `<g transform="${at(20, 24)}" filter="${sheet.shadow(12)}" opacity="0.4">${item}</g>`,
    group(at(0, 0), item),
  )
}

/** A part of an item, from near; the room behind it is out of focus. */
export function closeUp(room: Room, draw: Drawing, { scale = 2, x = 0, y = 0, turn = 0 }: View = {}): Svg {
  const sheet = new Sheet()
  const item = draw(sheet)
  const at = (dx: number, dy: number) =>
    `translate(${WIDTH / 2 + dx} ${HEIGHT / 2 + dy}) scale(${scale}) rotate(${turn}) translate(${x} ${y})`
  return picture(
    sheet,
    farWall(sheet, room),
    `<g transform="${at(34, 26)}" filter="${sheet.shadow(9)}" opacity="0.22">${item}</g>`,
    group(at(0, 0), item),
  )
}

function picture(sheet: Sheet, ...layers: Svg[]): Svg {
  const content = [...layers, light(sheet)].join('')
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${KEPT.width}" height="${KEPT.height}" viewBox="0 0 ${WIDTH} ${HEIGHT}">${sheet.defs()}${content}</svg>`
}

const all = (paint: Paint) => rect(0, 0, WIDTH, HEIGHT, 0, paint)

function wallAndTable(sheet: Sheet, room: Room): Svg {
  const { wall, table } = ROOMS[room]
  const depth = HEIGHT - HORIZON
  return [
    all(sheet.radial([0.3, 0.16, 0.95], [0, wall[0]], [0.55, mix(wall[0], wall[1], 0.55)], [1, wall[1]])),
    windowLight(sheet, room === 'ink' ? 0.5 : 1),
    rect(0, HORIZON, WIDTH, depth, 0, sheet.linear([0, 0, 0.2, 1], [0, table[0]], [1, table[1]])),
    // The wall's shade on the back of the table, and the light along its edge.
    rect(0, HORIZON, WIDTH, 34, 0, sheet.linear([0, 0, 0, 1], [0, '#2a1c10', 0.28], [1, '#2a1c10', 0])),
    rect(0, HORIZON - 2, WIDTH, 3, 0, table[0], { opacity: 0.75 }),
    ellipse(330, 720, 620, 130, sheet.radial([0.5, 0.5, 0.5], [0, '#fff6e2', 0.4], [1, '#fff6e2', 0])),
  ].join('')
}

/** Two panes of sunlight on the wall; their soft edges are gradients, since blurring a wall takes long. */
function windowLight(sheet: Sheet, strength: number): Svg {
  const pane = sheet.linear([0, 0.12, 1, -0.12], [0, SUN, 0], [0.3, SUN, 0.42], [0.62, SUN, 0.36], [1, SUN, 0])
  const panes = path('M50 -20 L400 -20 L720 500 L290 500 Z', pane) + path('M420 -20 L600 -20 L980 500 L730 500 Z', pane)
  const downwards = sheet.linear([0, 0, 0, 1], [0, '#fff'], [0.45, '#bbb'], [0.95, '#000'])
  return faint(strength, sheet.mask(rect(0, -20, WIDTH, 520, 0, downwards), panes))
}

function cloth(sheet: Sheet, room: Room): Svg {
  const { wall } = ROOMS[room]
  const fold = (d: string, opacity: number) =>
    path(
      d,
      sheet.linear(
        [0, 0, 1, 0.35],
        [0, '#3a2817', 0],
        [0.48, '#3a2817', opacity],
        [0.52, '#fff6e2', opacity * 1.6],
        [1, '#fff6e2', 0],
      ),
    )
  return [
    all(sheet.radial([0.26, 0.2, 1], [0, wall[0]], [1, wall[1]])),
    fold('M-40 120 C300 40 620 260 1240 60 L1240 240 C700 380 320 180 -40 300 Z', 0.13),
    fold('M-40 560 C260 480 760 700 1240 500 L1240 700 C800 860 300 640 -40 740 Z', 0.12),
  ].join('')
}

function farWall(sheet: Sheet, room: Room): Svg {
  const { wall, table } = ROOMS[room]
  return [
    all(sheet.linear([0.1, 0, 0.6, 1], [0, wall[0]], [1, wall[1]])),
    ellipse(250, 150, 520, 360, sheet.radial([0.5, 0.5, 0.5], [0, '#fff6e2', 0.55], [1, '#fff6e2', 0])),
    rect(0, 610, WIDTH, 190, 0, sheet.linear([0, 0, 0, 1], [0, table[0], 0], [0.5, table[0], 0.8], [1, table[1]])),
  ].join('')
}

/** What the window does to the whole picture: warm on its side, deeper on the other. */
function light(sheet: Sheet): Svg {
  return [
    all(sheet.linear([0, 0, 1, 0.8], [0, '#fff3d6', 0.16], [0.5, '#fff3d6', 0], [1, '#23160c', 0.2])),
    all(sheet.radial([0.5, 0.48, 0.78], [0.62, '#23160c', 0], [1, '#23160c', 0.16])),
  ].join('')
}

function mix(from: string, to: string, share: number): string {
  const channel = (at: number) => {
    const [a, b] = [from, to].map(colour => Number.parseInt(colour.slice(at, at + 2), 16)) as [number, number]
    return Math.round(a + (b - a) * share)
      .toString(16)
      .padStart(2, '0')
  }
  return `#${channel(1)}${channel(3)}${channel(5)}`
}
