import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventuallyPasses } from '@holdfast/testing/eventually'
import { LogDestination } from './log-destination.js'

// On Linux `/dev/full` behaves like a full disk. Elsewhere a read-only descriptor makes the same call fail.
const FULL: readonly [string, string] = fs.existsSync('/dev/full') ? ['/dev/full', 'w'] : ['/dev/null', 'r']

function unexpected(count: number): never {
  throw new Error(`${count} lines were lost`)
}

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

describe('the log destination', () => {
  test('writes every line once and in order, when a batch is full, after a time, and at the end', async () => {
    const to = new LogDestination(open(file, 'a'), unexpected)
    const lines = Array.from({ length: 3_000 }, (_, n) => `line ${n} äöü\n`)
    for (const line of lines) to.write(line)
    await sleep(700)
    expect(fs.readFileSync(file, 'utf8')).toBe(lines.join(''))
    to.write('last\n')
    to.flushSync()
    expect(fs.readFileSync(file, 'utf8')).toBe(`${lines.join('')}last\n`)
  })

  test('does not fail or block a process when the disk is full', async () => {
    const to = new LogDestination(open(...FULL), () => {})
    const began = performance.now()
    for (let n = 0; n < 50_000; n++) to.write(`a line of ordinary length, number ${n}\n`)
    await sleep(700)
    to.flushSync()
    expect(performance.now() - began).toBeLessThan(5_000)
  })

  test('counts the lines that are lost while the disk is full, and reports them once, after the kept ones', async () => {
    const fd = open(...FULL)
    const to: LogDestination = new LogDestination(fd, count => to.write(`lost ${count}\n`))
    const lines = Array.from({ length: 50_000 }, (_, n) => `a line of ordinary length, number ${n}\n`)
    for (const line of lines) to.write(line)
    await sleep(100)
    fs.closeSync(descriptors.pop() as number)
    expect(open(file, 'a')).toBe(fd)
    await eventuallyPasses(() => expect(fs.readFileSync(file, 'utf8')).toContain('lost'), 10_000)
    const written = fs.readFileSync(file, 'utf8').split(/(?<=\n)/)
    const kept = written.length - 1
    expect(written).toEqual([...lines.slice(0, kept), `lost ${lines.length - kept}\n`])
  })

  test('reports lost lines also at the end of the process', async () => {
    const fd = open(...FULL)
    const to: LogDestination = new LogDestination(fd, count => to.write(`lost ${count}\n`))
    for (let n = 0; n < 50_000; n++) to.write(`a line of ordinary length, number ${n}\n`)
    await sleep(100)
    fs.closeSync(descriptors.pop() as number)
    expect(open(file, 'a')).toBe(fd)
    to.flushSync()
    expect(fs.readFileSync(file, 'utf8')).toMatch(/\nlost \d+\n$/)
  })

  test('writes kept lines as soon as the disk has room', async () => {
    const fd = open(...FULL)
    const to = new LogDestination(fd, unexpected)
    to.write('before there was room\n')
    await sleep(700)
    // The same descriptor now refers to a disk with room.
    fs.closeSync(descriptors.pop() as number)
    expect(open(file, 'a')).toBe(fd)
    await sleep(700)
    expect(fs.readFileSync(file, 'utf8')).toBe('before there was room\n')
  })
})
