import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { pidFileIn, readPidFile, serverPid } from './postgres-pid-file.js'

const WRITTEN = ['4711', '/data/postgres', '1764000000', '23923', '', '127.0.0.1', '  1234  5', 'ready   ', '']

/** @type {(() => void)[]} */
const cleanups = []
afterEach(() => {
  for (const cleanUp of cleanups.splice(0)) cleanUp()
})

it('says what a server has written about itself', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-pid-file-'))
  cleanups.push(() => fs.rmSync(folder, { recursive: true }))
  expect(readPidFile(folder)).toBeNull()
  const wrote = lines => {
    fs.writeFileSync(pidFileIn(folder), WRITTEN.slice(0, lines).join('\n'))
    return readPidFile(folder)
  }
  expect(wrote(0)).toEqual({ pid: null, port: null, isReady: false })
  expect(wrote(1)).toEqual({ pid: 4711, port: null, isReady: false })
  expect(wrote(7)).toEqual({ pid: 4711, port: 23923, isReady: false })
  expect(wrote(9)).toEqual({ pid: 4711, port: 23923, isReady: true })
})

it('names only a process that serves the folder: after a kill the number may be that of the launcher or of anything else', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-pid-file-'))
  cleanups.push(() => fs.rmSync(folder, { recursive: true }))
  expect(serverPid(folder)).toBeNull()
  const noted = pid => {
    fs.writeFileSync(pidFileIn(folder), String(pid))
    return serverPid(folder)
  }
  expect(noted(process.pid)).toBeNull()
  const run = (...args) => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1_000)', '--', ...args])
    cleanups.push(() => void child.kill())
    return child.pid
  }
  expect(noted(run('postgres', '-D', '/another/folder'))).toBeNull()
  const server = run('postgres', '-D', folder)
  expect(noted(server)).toBe(server)
})
