import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { EngineProcess } from './engine-process.js'

/** Prints its process group and its pid, and runs on. */
const PROGRAM = `
  const group = require('node:child_process').execFileSync('ps', ['-o', 'pgid=', '-p', String(process.pid)])
  console.log(Number(group) + ' ' + process.pid)
  setInterval(() => {}, 1_000)`

it('leads a process group of its own, so that Ctrl-C in the terminal does not end it before its users', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-engine-'))
  const logFile = path.join(folder, 'engine.log')
  const engine = new EngineProcess({
    name: 'The engine',
    file: process.execPath,
    args: ['-e', PROGRAM],
    logFile,
    isReady: async () => fs.readFileSync(logFile, 'utf8').endsWith('\n'),
    withinMs: 10_000,
  })
  await engine.start()
  await engine.stop()
  const [group, pid] = fs.readFileSync(logFile, 'utf8').trim().split(' ')
  expect(group).toBe(pid)
  fs.rmSync(folder, { recursive: true })
})
