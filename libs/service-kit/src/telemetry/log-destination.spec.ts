import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { LogDestination } from './log-destination.js'

// Linux's disk that is always full. Elsewhere a descriptor that may not be written fails in the same place.
const FULL: readonly [string, string] = fs.existsSync('/dev/full') ? ['/dev/full', 'w'] : ['/dev/null', 'r']

let folder: string
let file: string
const descriptors: number[] = []
const open = (name: string, flags: string) => {
  const fd = fs.openSync(name, flags)
  descriptors.push(fd)
  return fd
}
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-log-'))
  file = path.join(folder, 'log')
})
afterEach(() => {
  for (const fd of descriptors.splice(0)) fs.closeSync(fd)
  fs.rmSync(folder, { recursive: true })
})

describe('where log lines go', () => {
  test('every line once and in order, by the batch, by the clock and at the end', async () => {
    const to = new LogDestination(open(file, 'a'))
    const lines = Array.from({ length: 3_000 }, (_, n) => `line ${n} äöü\n`)
    for (const line of lines) to.write(line)
    await sleep(700)
    expect(fs.readFileSync(file, 'utf8')).toBe(lines.join(''))
    to.write('last\n')
    to.flushSync()
    expect(fs.readFileSync(file, 'utf8')).toBe(`${lines.join('')}last\n`)
  })

  test('a full disk neither fails nor holds up whoever logs or ends', async () => {
    const to = new LogDestination(open(...FULL))
    const began = performance.now()
    for (let n = 0; n < 50_000; n++) to.write(`a line of ordinary length, number ${n}\n`)
    await sleep(700)
    to.flushSync()
    expect(performance.now() - began).toBeLessThan(5_000)
  })

  test('lines that could not be written are written once there is room', async () => {
    const fd = open(...FULL)
    const to = new LogDestination(fd)
    to.write('before there was room\n')
    await sleep(700)
    // The same number now leads to a disk with room.
    fs.closeSync(descriptors.pop() as number)
    expect(open(file, 'a')).toBe(fd)
    await sleep(700)
    expect(fs.readFileSync(file, 'utf8')).toBe('before there was room\n')
  })
})
