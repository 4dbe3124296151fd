import { pickFiles } from './pick-files.js'

beforeAll(() => {
  // jsdom draws nothing. It reads no file either: the name says whether a picture is broken.
  Object.assign(globalThis, {
    createImageBitmap: async ({ name }: File) => {
      if (name.startsWith('broken')) throw new Error('no picture')
      if (name.startsWith('large'))
        return {
          get width() {
            throw new Error('out of memory')
          },
        }
      return { width: 30, height: 20, close: () => undefined }
    },
  })
  HTMLCanvasElement.prototype.getContext = (() => ({ fillRect: () => undefined, drawImage: () => undefined })) as never
  HTMLCanvasElement.prototype.toDataURL = () => 'data:image/jpeg;base64,AAAA'
})

const picture = (name: string) => new File(['x'], name, { type: 'image/jpeg' })
const notes = new File(['x'], 'notes.txt', { type: 'text/plain' })
const namesOf = (files: readonly { readonly name: string }[]) => files.map(({ name }) => name)

test('files over the limit are left out by name, with the spec’s words', async () => {
  const { scaled, refusals } = await pickFiles([picture('a'), picture('b'), picture('c'), picture('d')], 18, 20)
  expect(namesOf(scaled)).toEqual(['a', 'b'])
  expect(refusals).toEqual([
    { title: 'Too many images', text: 'You can only add 2 more images (20 total maximum). Left out: c, d' },
  ])
})

test('of many files over the limit the first are named, and the others are counted', async () => {
  const { refusals } = await pickFiles([...'abcdefg'].map(picture), 20, 20)
  expect(refusals[0]?.text).toMatch(/Left out: a, b, c, d, e and 2 more$/)
})

test('a full set takes nothing more', async () => {
  expect(await pickFiles([picture('a')], 20, 20)).toEqual({
    scaled: [],
    refusals: [{ title: 'Too many images', text: 'You can only add 0 more images (20 total maximum). Left out: a' }],
  })
})

test('a file that cannot be used is refused by name and takes no place', async () => {
  const { scaled, refusals } = await pickFiles([notes, picture('broken'), picture('a'), picture('b')], 18, 20)
  expect(namesOf(scaled)).toEqual(['a', 'b'])
  expect(refusals).toEqual([
    { title: 'Invalid file', text: 'notes.txt: File must be an image' },
    { title: 'Invalid file', text: 'broken: Failed to load image' },
  ])
})

test('when scaling fails, the other files are taken, and what is wrong with them is still said', async () => {
  const { scaled, refusals } = await pickFiles([notes, picture('large'), picture('a')], 0, 20)
  expect(namesOf(scaled)).toEqual(['a'])
  expect(refusals).toEqual([
    { title: 'Invalid file', text: 'notes.txt: File must be an image' },
    { title: 'Error compressing images', text: 'Failed to process images. Please try again.' },
  ])
})

test.each([
  [0, 20, 20, 0],
  [0, 21, 20, 1],
  [19, 1, 1, 0],
  [19, 2, 1, 1],
])('with %d pictures there, of %d more %d are taken, with %d refusals', async (present, picked, taken, refused) => {
  const files = Array.from({ length: picked }, (_, index) => picture(String(index)))
  const { scaled, refusals } = await pickFiles(files, present, 20)
  expect([scaled.length, refusals.length]).toEqual([taken, refused])
})
