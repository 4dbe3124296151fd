import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { EngineDidNotStart, EngineProcess } from './engine-process.js'

/** Prints its process group and its pid, and runs on. */
const PROGRAM = `
  const group = require('node:child_process').execFileSync('ps', ['-o', 'pgid=', '-p', String(process.pid)])
  console.log(Number(group) + ' ' + process.pid)
  setInterval(() => {}, 1_000)`

let folder: string
let logFile: string
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-engine-'))
  logFile = path.join(folder, 'engine.log')
})
afterEach(() => fs.rmSync(folder, { recursive: true }))

it('leads a process group of its own, so that Ctrl-C in the terminal does not end it before its users', async () => {
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
})

it('says why it did not start, with the end of its log', async () => {
  const engine = new EngineProcess({
    name: 'The engine',
    file: process.execPath,
    args: ['-e', 'console.log("the port is taken"); process.exit(1)'],
    logFile,
    isReady: async () => false,
    withinMs: 10_000,
  })
  const error = await engine.start().catch(error => error)
  expect(error).toBeInstanceOf(EngineDidNotStart)
  expect(error.message).toBe('The engine does not serve: it has ended (exit code 1)\nthe port is taken\n')
})
