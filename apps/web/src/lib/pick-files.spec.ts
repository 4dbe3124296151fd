import { expect, test } from 'vitest'
import { pickFiles } from './pick-files.js'

const picture = (name: string) => ({ name, type: 'image/jpeg', size: 1000 })

test('files over the limit are dropped with the spec’s words', () => {
  const { accepted, refusals } = pickFiles([picture('a'), picture('b'), picture('c')], 18, 20)
  expect(accepted.map(file => file.name)).toEqual(['a', 'b'])
  expect(refusals).toEqual([{ title: 'Too many images', text: 'You can only add 2 more images (20 total maximum)' }])
})

test('a full set takes nothing more', () => {
  expect(pickFiles([picture('a')], 20, 20)).toMatchObject({
    accepted: [],
    refusals: [{ text: 'You can only add 0 more images (20 total maximum)' }],
  })
})

test('a file that is no picture is refused by name, the others are taken', () => {
  const { accepted, refusals } = pickFiles([{ name: 'notes.txt', type: 'text/plain', size: 1 }, picture('a')], 0, 20)
  expect(accepted.map(file => file.name)).toEqual(['a'])
  expect(refusals).toEqual([{ title: 'Invalid file', text: 'notes.txt: File must be an image' }])
})

test.each([
  [0, 20, 20, 0],
  [0, 21, 20, 1],
  [19, 1, 1, 0],
  [19, 2, 1, 1],
])('with %d pictures there, of %d more %d are taken, with %d refusals', (present, picked, taken, refused) => {
  const files = Array.from({ length: picked }, (_, index) => picture(String(index)))
  const { accepted, refusals } = pickFiles(files, present, 20)
  expect([accepted.length, refusals.length]).toEqual([taken, refused])
})
