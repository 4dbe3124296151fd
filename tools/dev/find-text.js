// `DATABASE_URL=… node tools/dev/find-text.js <text>…`: finds where texts are in the database, whatever the case of their letters. It
// proves that a person was erased (docs/runbooks/closed-accounts.md). DATABASE_URL is the login of the database's owner. Prints one JSON
// object for each column that has one of the texts: table, column, text, rows. Binary columns are searched for the bytes of the text.
import pg from 'pg'

const COLUMNS = `SELECT n.nspname AS schema, c.relname AS table, a.attname AS column, t.typname AS type
  FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
  JOIN pg_type t ON t.oid = a.atttypid
  WHERE c.relkind IN ('r', 'p', 'm') AND a.attnum > 0 AND NOT a.attisdropped
    AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast')
    AND t.typname IN ('text', 'varchar', 'bpchar', 'json', 'jsonb', 'bytea', '_text', '_varchar', 'tsvector', 'name', 'xml')
  ORDER BY 1, 2, 3`

const quoted = name => `"${name.replaceAll('"', '""')}"`

async function rowsWith(client, { schema, table, column, type }, text) {
  const place = `FROM ${quoted(schema)}.${quoted(table)} WHERE`
  const { rows } =
    type === 'bytea'
      ? await client.query(`SELECT count(*)::int AS n ${place} position($1::bytea IN ${quoted(column)}) > 0`, [
          Buffer.from(text),
        ])
      : await client.query(
          `SELECT count(*)::int AS n ${place} position(lower($1) IN lower(${quoted(column)}::text)) > 0`,
          [text],
        )
  return rows[0].n
}

const texts = process.argv.slice(2)
if (texts.length === 0 || !process.env.DATABASE_URL) {
  process.stderr.write('Usage: DATABASE_URL=… node tools/dev/find-text.js <text>…\n')
  process.exit(2)
}
const client = new pg.Client(process.env.DATABASE_URL)
await client.connect()
try {
  const { rows: columns } = await client.query(COLUMNS)
  for (const column of columns) {
    for (const text of texts) {
      const rows = await rowsWith(client, column, text)
      if (rows === 0) continue
      const { schema, table, column: name } = column
      process.stdout.write(`${JSON.stringify({ table: `${schema}.${table}`, column: name, text, rows })}\n`)
    }
  }
} finally {
  await client.end()
}
