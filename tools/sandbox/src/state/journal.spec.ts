import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { Collection } from './collection.js'
import { lockFolder } from './folder-lock.js'
import { Journal } from './journal.js'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sandbox-journal-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

interface Note {
  readonly id: string
  readonly text: string
}

async function open(notes: Collection<Note>): Promise<Journal> {
  return Journal.open(
    folder,
    ([, id, value]) => notes.restore(id, value as Note | null),
    () => notes.all(),
  )
}

describe('the journal', () => {
  it('remembers what was put, replaced and deleted', async () => {
    const notes = new Collection<Note>('notes', 10)
    const journal = await open(notes)
    notes.put({ id: 'a', text: 'first' })
    notes.put({ id: 'b', text: 'gone' })
    await journal.append(notes.takeChanges())
    notes.put({ id: 'a', text: 'second' })
    notes.delete('b')
    await journal.append(notes.takeChanges())
    await journal.close()

    const again = new Collection<Note>('notes', 10)
    await (await open(again)).close()
    expect(again.newestFirst()).toEqual([{ id: 'a', text: 'second' }])
  })

  it('is rewritten when it has outgrown what is alive, and loses nothing by it', async () => {
    const notes = new Collection<Note>('notes', 10)
    const journal = await open(notes)
    const text = 'x'.repeat(500_000)
    for (let round = 0; round < 24; round++) {
      notes.put({ id: 'same', text: `${round}${text}` })
      await journal.append(notes.takeChanges())
    }
    await journal.close()
    expect((await stat(join(folder, 'state.jsonl'))).size).toBeLessThan(5 * 1024 * 1024)

    const again = new Collection<Note>('notes', 10)
    await (await open(again)).close()
    expect(again.get('same')?.text.startsWith('23')).toBe(true)
  })
})

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

describe('a folder', () => {
  it('belongs to one at a time', async () => {
    const unlock = await lockFolder(folder)
    await expect(lockFolder(folder, 150)).rejects.toThrow(/in use by another sandbox/)
    const next = lockFolder(folder, 2_000)
    await unlock()
    await (await next)()
  })
})
