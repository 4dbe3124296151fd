import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { LogDestination } from './log-destination.js'

// On Linux `/dev/full` behaves like a full disk. Elsewhere a read-only descriptor makes the same call fail.
const FULL: readonly [string, string] = fs.existsSync('/dev/full') ? ['/dev/full', 'w'] : ['/dev/null', 'r']

it('a full disk fails no caller, and the log says afterwards how many lines were lost', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-sandbox-log-'))
  const file = path.join(folder, 'log')
  const fd = fs.openSync(...FULL)
  const log = new LogDestination(fd)
  try {
    log.write('first\n')
    log.write('second\n')
    // The same descriptor now refers to a disk with room.
    fs.closeSync(fd)
    expect(fs.openSync(file, 'a')).toBe(fd)
    log.write('third\n')
    log.write('fourth\n')
    expect(fs.readFileSync(file, 'utf8')).toBe('{"level":40,"msg":"2 log lines were lost"}\nthird\nfourth\n')
  } finally {
    fs.closeSync(fd)
    fs.rmSync(folder, { recursive: true })
  }
})

it('a line of which the disk took a part is counted as lost, and the next one begins a new line', () => {
  let file = ''
  const room = [3, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  const write = jest.spyOn(fs, 'writeSync').mockImplementation((_, bytes) => {
    const taken = Buffer.from(bytes as never).subarray(0, room.shift())
    file += taken.toString()
    return taken.length
  })
  const log = new LogDestination(1)
  try {
    log.write('first\n')
    log.write('second\n')
  } finally {
    write.mockRestore()
  }
  expect(file).toBe('fir\n{"level":40,"msg":"1 log lines were lost"}\nsecond\n')
})
