import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { takeDataDir, tryLock } from './lock.js'
import { identityOf } from './process-identity.js'

let folder
let file
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-lock-'))
  file = path.join(folder, 'launcher.lock')
})
afterEach(() => fs.rmSync(folder, { recursive: true }))

/** @param {Parameters<typeof tryLock>} of */
function take(...of) {
  const { release } = tryLock(...of)
  if (!release) throw new Error('the lock is taken')
  return release
}

// The pid of a process that has ended.
const endedPid = () => spawnSync(process.execPath, ['-e', '']).pid

describe('a lock', () => {
  it('is released once: a later owner keeps it', () => {
    const release = take(file)
    release()
    const second = take(file)
    release()
    expect(tryLock(file).owner).toMatchObject({ pid: process.pid })
    second()
  })

  it('is taken once, names its owner to others, and can be taken again after its release', () => {
    const release = take(file, { url: 'http://localhost:3000' })
    expect(tryLock(file).owner).toMatchObject({ pid: process.pid, url: 'http://localhost:3000' })
    release()
    expect(tryLock(file).release).toBeDefined()
  })

  it('is taken over when its owner no longer runs', () => {
    fs.writeFileSync(file, JSON.stringify({ pid: endedPid(), identity: '1' }))
    expect(tryLock(file).release).toBeDefined()
  })

  it("is taken over when its owner's number belongs to another process now", () => {
    fs.writeFileSync(file, JSON.stringify({ pid: process.pid, identity: 'started at another time' }))
    expect(tryLock(file).release).toBeDefined()
  })

  it('is taken over when it is not readable', () => {
    fs.writeFileSync(file, '{"pid": 12')
    expect(tryLock(file).release).toBeDefined()
  })

  it('leaves nothing but itself in the folder', () => {
    fs.writeFileSync(file, JSON.stringify({ pid: endedPid(), identity: '1' }))
    tryLock(file)
    expect(fs.readdirSync(folder)).toEqual(['launcher.lock'])
  })

  it('on a data folder refuses a second launcher with one sentence that names the first one', () => {
    takeDataDir(folder, 'http://localhost:3000')
    expect(() => takeDataDir(folder, 'http://localhost:3001')).toThrow(
      `already runs with the data folder ${folder} (process ${process.pid}, http://localhost:3000)`,
    )
  })
})

describe('the identity of a process', () => {
  it('stays the same while it runs, and is null once it has ended', () => {
    expect(identityOf(process.pid)).toBe(identityOf(process.pid))
    expect(identityOf(process.pid)).toMatch(/\S/)
    expect(identityOf(endedPid())).toBeNull()
    expect(identityOf(Number.NaN)).toBeNull()
  })
})
