import { BatchStatement } from './batch-statement.js'
import { binaryArray } from './binary-array.js'

interface Item {
  readonly id: number
  readonly words: readonly string[]
}

const statement = new BatchStatement<Item>(
  'test',
  part => `WITH changed AS (
  UPDATE item SET n = n + 1 FROM ${part.rows('change', { id: 'bigint' }, ({ id }) => [{ id }])} WHERE item.id = change.id
), words AS (
  ${part.insert({
    table: 'app.word',
    columns: { item_id: 'bigint', text: 'text' },
    rows: ({ id, words }) => words.map(text => ({ item_id: id, text })),
    joined: { at: 'changed.at' },
    join: 'changed ON changed.id = word.item_id',
    where: `word.text <> ''`,
    as: 'word',
    ordered: true,
    onConflict: 'DO NOTHING',
  })}
) SELECT ${part.array('bigint', ({ id }) => [id])}`,
)

describe('a batch statement', () => {
  it('numbers its parameters in the order of its parts', () => {
    expect(statement.text).toContain('unnest($1::bigint[]) AS change(id)')
    expect(statement.text).toContain('unnest($2::bigint[], $3::text[]) WITH ORDINALITY AS word(item_id, text, nth)')
  })

  it('inserts the columns of its rows and those of the join, for the rows that it is to write', () => {
    const sql = statement.text.replace(/\s+/g, ' ')
    expect(sql).toContain('INSERT INTO app.word (item_id, text, at) SELECT word.item_id, word.text, changed.at FROM')
    expect(sql).toContain(
      `JOIN changed ON changed.id = word.item_id WHERE word.text <> '' ORDER BY word.nth ON CONFLICT DO NOTHING`,
    )
  })

  it('makes one array per column, with the rows of all items in order', () => {
    const values = statement.values([
      { id: 7, words: ['a', 'b'] },
      { id: 8, words: [] },
      { id: 9, words: ['c'] },
    ])
    expect(values).toEqual([
      binaryArray('bigint', [7, 8, 9]),
      binaryArray('bigint', [7, 7, 9]),
      binaryArray('text', ['a', 'b', 'c']),
      binaryArray('bigint', [7, 8, 9]),
    ])
  })

  it('lists its tables and columns, so that a test can compare them with the database', () => {
    expect(statement.inserts).toEqual([{ table: 'app.word', columns: { item_id: 'bigint', text: 'text' } }])
  })
})
