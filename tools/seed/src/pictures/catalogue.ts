/** The pictures of every item of the demo: how it stands on the table, and a nearer look. */

import { bicycle as touring } from './bicycle.js'
import { fieldGuide as fieldGuideDrawing, shelf } from './books.js'
import { BLACK_PAINT, CHROME, camera } from './camera.js'
import { chair, MOSS_WALNUT, RUST_TEAK } from './chair.js'
import { espresso as machine } from './espresso.js'
import { CEDAR, guitar as guitarOf, SPRUCE } from './guitar.js'
import { BOTTLE_GREEN, BRASS, lamp } from './lamp.js'
import { emeraldRing as emerald } from './ring.js'
import { satchel as bag } from './satchel.js'
import { closeUp, flatLay, onTable } from './scene.js'
import { MOSS, RUST, shoes } from './shoes.js'
import { tent as ridge } from './tent.js'
import { PIANO_BLACK, turntable, WALNUT } from './turntable.js'
import { typewriter as portable } from './typewriter.js'
import { blossom, CELADON, grass, TENMOKU, vase as vaseOf } from './vase.js'
import { DRESS, FIELD, watch } from './watch.js'
import { wheels as setOfWheels, wheel } from './wheels.js'

const chrome = camera(CHROME)
export const chromeCamera = [
  onTable('clay', chrome, { scale: 1.15 }),
  closeUp('clay', chrome, { x: 20, y: 170, scale: 2.1 }),
  flatLay('rose', chrome, { y: 170, turn: -14 }),
]

const paint = camera(BLACK_PAINT)
export const blackCamera = [
  onTable('oat', paint, { scale: 1.15 }),
  flatLay('sage', paint, { x: 40, y: 170, turn: -14 }),
]

const field = watch(FIELD)
export const fieldWatch = [
  flatLay('moss', field, { turn: 24, scale: 1.15 }),
  closeUp('moss', field, { scale: 2.3, turn: -8 }),
]

const dress = watch(DRESS)
export const dressWatch = [
  flatLay('rose', dress, { turn: -22, scale: 1.1 }),
  closeUp('rose', dress, { scale: 2.3, turn: 8 }),
]

const parlour = guitarOf(SPRUCE)
export const guitar = [
  flatLay('dusk', parlour, { x: 350, y: 110, turn: -72, scale: 1.2 }),
  closeUp('dusk', parlour, { y: 190, scale: 2.2 }),
]

const concert = guitarOf(CEDAR)
export const classicalGuitar = [
  flatLay('ochre', concert, { x: -350, y: 110, turn: 72, scale: 1.2 }),
  closeUp('ochre', concert, { y: 190, scale: 2.2 }),
]

const brass = lamp(BRASS)
export const brassLamp = [
  onTable('sage', brass, { x: -20, y: 10 }),
  closeUp('sage', brass, { x: 60, y: 420, scale: 2 }),
]

const green = lamp(BOTTLE_GREEN)
export const greenLamp = [
  onTable('ochre', green, { x: -20, y: 10 }),
  closeUp('ochre', green, { x: 60, y: 420, scale: 2 }),
]

const celadon = vaseOf('round', CELADON, blossom)
export const vase = [onTable('rose', celadon, { y: 16, scale: 0.92 }), closeUp('rose', celadon, { y: 380, scale: 2 })]

const tenmoku = vaseOf('tall', TENMOKU, grass)
export const blackVase = [
  onTable('oat', tenmoku, { y: 30, scale: 0.96 }),
  closeUp('oat', tenmoku, { y: 420, scale: 2 }),
]

export const books = [
  onTable('sage', shelf, { x: 20, y: 14, scale: 1.1 }),
  closeUp('sage', shelf, { x: 140, y: 200, scale: 2 }),
]
export const fieldGuide = [
  flatLay('oat', fieldGuideDrawing, { turn: -6, scale: 1.2 }),
  closeUp('oat', fieldGuideDrawing, { x: 190, y: 10, scale: 2 }),
]

export const bicycle = [
  onTable('sage', touring, { y: 34, scale: 1.06 }),
  closeUp('sage', touring, { x: 60, y: 200, scale: 2.2 }),
  closeUp('sage', touring, { x: -200, y: 400, scale: 2.4 }),
]

const moss = chair(MOSS_WALNUT)
export const mossChair = [
  onTable('oat', moss, { y: 44, scale: 1.02 }),
  closeUp('oat', moss, { x: 60, y: 330, scale: 1.9 }),
]

const rust = chair(RUST_TEAK)
export const rustChair = [
  onTable('dusk', rust, { y: 44, scale: 1.02 }),
  closeUp('dusk', rust, { x: -60, y: 200, scale: 1.9 }),
]

const rustPair = shoes(RUST)
export const rustSneakers = [
  onTable('dusk', rustPair, { y: 10, scale: 1.18 }),
  closeUp('dusk', rustPair, { x: 20, y: 150, scale: 2.2 }),
]

const mossPair = shoes(MOSS)
export const mossSneakers = [
  onTable('clay', mossPair, { y: 10, scale: 1.18 }),
  closeUp('clay', mossPair, { x: 20, y: 150, scale: 2.2 }),
]

const walnut = turntable(WALNUT)
export const walnutTurntable = [
  flatLay('sage', walnut, { scale: 1.12, turn: -5 }),
  closeUp('sage', walnut, { x: -130, y: -20, scale: 1.9, turn: -8 }),
]

const piano = turntable(PIANO_BLACK)
export const blackTurntable = [
  flatLay('oat', piano, { scale: 1.12, turn: 6 }),
  closeUp('oat', piano, { x: -130, y: -20, scale: 1.9, turn: 8 }),
]

export const tent = [
  onTable('moss', ridge, { x: -20, y: 16, scale: 1.1 }),
  closeUp('moss', ridge, { x: 120, y: 150, scale: 2 }),
]
export const espresso = [
  onTable('clay', machine, { y: 40, scale: 1.04 }),
  closeUp('clay', machine, { x: 70, y: 250, scale: 2.1 }),
  closeUp('clay', machine, { x: -100, y: 380, scale: 2.1 }),
]
export const emeraldRing = [
  onTable('ink', emerald, { y: 6, scale: 1.12 }),
  closeUp('rose', emerald, { y: 350, scale: 2.4 }),
]
export const wheels = [onTable('dusk', setOfWheels, { y: 20, scale: 1.3 }), flatLay('ochre', wheel, { scale: 2 })]
export const typewriter = [
  onTable('ochre', portable, { y: 26, scale: 1.1 }),
  closeUp('ochre', portable, { y: 110, scale: 2 }),
]
export const satchel = [
  onTable('sage', bag, { x: 30, y: 26, scale: 1.12 }),
  closeUp('sage', bag, { x: 120, y: 200, scale: 2.2 }),
]
