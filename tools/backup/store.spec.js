import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { baseBackups, baseFolder, draftFolder, prune } from './store.js'

let store
beforeEach(() => {
  store = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-store-'))
})
afterEach(() => fs.rmSync(store, { recursive: true }))

function makeBackup(ended, logFile) {
  const folder = baseFolder(store, new Date(ended))
  fs.mkdirSync(folder, { recursive: true })
  fs.writeFileSync(
    path.join(folder, 'backup_label'),
    `START WAL LOCATION: 0/2000028 (file ${logFile})\nCHECKPOINT LOCATION: 0/2000080\n`,
  )
}

function makeLog(...names) {
  fs.mkdirSync(path.join(store, 'wal'), { recursive: true })
  for (const name of names) fs.writeFileSync(path.join(store, 'wal', name), '')
}
const logFiles = () => fs.readdirSync(path.join(store, 'wal')).sort()

it('lists complete base backups by the time at which they ended', () => {
  expect(baseBackups(store)).toEqual([])
  makeBackup('2026-11-25T10:00:00.5Z', '000000010000000000000005')
  makeBackup('2026-11-24T10:00:00Z', '000000010000000000000003')
  fs.mkdirSync(draftFolder(store))
  expect(baseBackups(store).map(({ ended }) => ended.toISOString())).toEqual([
    '2026-11-24T10:00:00.000Z',
    '2026-11-25T10:00:00.500Z',
  ])
})

it('deletes old base backups and the log before the oldest one that is kept, of every timeline', () => {
  makeBackup('2026-11-23T10:00:00Z', '000000010000000000000002')
  makeBackup('2026-11-24T10:00:00Z', '000000010000000000000004')
  makeBackup('2026-11-25T10:00:00Z', '000000020000000000000006')
  const needed = ['000000010000000000000004', '000000010000000000000004.00000028.backup', '000000020000000000000005']
  makeLog('00000002.history', '000000010000000000000002', '000000010000000000000003', ...needed)
  expect(prune(store, 2)).toEqual({ backups: 1, logFiles: 2 })
  expect(baseBackups(store)).toHaveLength(2)
  expect(logFiles()).toEqual([...needed, '00000002.history'].sort())
})

it('deletes nothing when there are no more base backups than are kept', () => {
  makeLog('000000010000000000000001')
  expect(prune(store, 7)).toEqual({ backups: 0, logFiles: 0 })
  makeBackup('2026-11-25T10:00:00Z', '000000010000000000000001')
  expect(prune(store, 7)).toEqual({ backups: 0, logFiles: 0 })
  expect(logFiles()).toHaveLength(1)
})
