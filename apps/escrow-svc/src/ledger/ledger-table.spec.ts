import fs from 'node:fs'
import path from 'node:path'
import { ENTRY_KINDS } from '@holdfast/kernel/ledger'

it('the table of the ledger in docs/architecture.md has each kind of journal entry, and no other', () => {
  const page = fs.readFileSync(path.join(import.meta.dirname, '../../../../docs/architecture.md'), 'utf8')
  const rows = page.slice(page.indexOf('\n## The ledger\n'), page.indexOf('\n## Trust\n')).split('\n')
  const kinds = rows.flatMap(row => row.split(' | ')[1]?.match(/^`(\w+)`$/)?.[1] ?? [])
  expect([...new Set(kinds)].sort()).toEqual([...ENTRY_KINDS].sort())
})
