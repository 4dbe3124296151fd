import { BLACK_PAINT, CHROME, camera } from './camera.js'
import { closeUp, flatLay, onTable } from './scene.js'

export const chromeCamera = [
  onTable('clay', camera(CHROME)),
  closeUp('clay', camera(CHROME), { x: 20, y: 170, scale: 2.1 }),
]
export const blackCamera = [
  onTable('oat', camera(BLACK_PAINT)),
  flatLay('oat', camera(BLACK_PAINT), { y: 170, turn: -14 }),
]
export const guitar = chromeCamera
export const books = chromeCamera
export const typewriter = chromeCamera
export const tent = chromeCamera
export const vase = chromeCamera
export const espresso = chromeCamera
export const fieldWatch = chromeCamera
export const mossChair = chromeCamera
export const brassLamp = chromeCamera
export const walnutTurntable = chromeCamera
export const rustSneakers = chromeCamera
export const fieldGuide = chromeCamera
export const greenLamp = chromeCamera
export const blackTurntable = chromeCamera
export const blackVase = chromeCamera
export const classicalGuitar = chromeCamera
export const rustChair = chromeCamera
export const mossSneakers = chromeCamera
export const wheels = chromeCamera
export const satchel = chromeCamera
export const dressWatch = chromeCamera
export const emeraldRing = chromeCamera
export const bicycle = chromeCamera
