import { Collection } from './collection.js'

interface Note {
  readonly id: string
  readonly text: string
}

describe('a collection', () => {
  it('forgets the oldest that may go beyond its limit, and in the end even those that may not', () => {
    const notes = new Collection<Note>('notes', 2, { mayGo: note => note.text !== 'keep' })
    for (const [id, text] of [
      ['a', 'keep'],
      ['b', 'go'],
      ['c', 'go'],
    ] as const) {
      notes.put({ id, text })
    }
    expect(notes.newestFirst().map(note => note.id)).toEqual(['c', 'a'])
    for (const id of ['d', 'e', 'f', 'g']) notes.put({ id, text: 'keep' })
    expect(notes.size).toBe(4)
  })
})
