import { fitInto, refusalOfFile } from './scale-image.js'

const BOX = { width: 600, height: 400 }

test('a picture is scaled to fit the box and keeps its proportions', () => {
  expect(fitInto({ width: 1200, height: 900 }, BOX)).toEqual({ width: 533, height: 400 })
  expect(fitInto({ width: 3000, height: 500 }, BOX)).toEqual({ width: 600, height: 100 })
})

test('a small picture is not enlarged, and a thin one never vanishes', () => {
  expect(fitInto({ width: 50, height: 40 }, BOX)).toEqual({ width: 50, height: 40 })
  expect(fitInto({ width: 60_000, height: 10 }, BOX)).toEqual({ width: 600, height: 1 })
})

test('only pictures under 50 MB are taken', () => {
  expect(refusalOfFile({ type: 'text/plain', size: 10 })).toBe('File must be an image')
  expect(refusalOfFile({ type: 'image/png', size: 50 * 1024 * 1024 })).toBe('File size must be less than 50MB')
  expect(refusalOfFile({ type: 'image/png', size: 50 * 1024 * 1024 - 1 })).toBeNull()
})
