import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { identityOf } from './process-identity.js'
import { Processes } from './processes.js'
import { pidsOf, startProduct } from './product.js'
import { sleep, until } from './wait.js'

const START_WITHIN_MS = 60_000
const EMPTY_SOON_MS = 30_000
const FIRST_PORT = 21_210

let home
let nextPort = FIRST_PORT
const processes = new Processes()
const running = new Set()

beforeAll(() => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-launcher-'))
})
afterEach(async () => {
  await Promise.all([...running].map(product => product.stop()))
  running.clear()
})
afterAll(() => fs.rmSync(home, { recursive: true, force: true }))

function start(folder, options = {}) {
  const product = startProduct(processes, {
    args: ['--no-demo', ...(options.args ?? [])],
    env: { DATA_DIR: path.join(home, folder), PORT: String(options.port ?? nextPort++), ...options.env },
  })
  running.add(product)
  product.exited.then(() => running.delete(product))
  return product
}

const aliveOf = pids => pids.filter(pid => identityOf(pid) !== null)
const noneAlive = pids => until(() => aliveOf(pids).length === 0, { withinMs: EMPTY_SOON_MS, everyMs: 50 })
const isOpen = port =>
  new Promise(resolve => {
    const socket = net.connect({ host: '127.0.0.1', port })
    socket.once('connect', () => resolve(true) || socket.destroy())
    socket.once('error', () => resolve(false))
  })

describe('npm start', () => {
  it(
    'serves, ends with SIGTERM, leaves no process behind, and starts again with the same data',
    async () => {
      const first = start('again')
      const { baseUrl } = await first.ready
      expect((await fetch(`${baseUrl}/healthz`)).status).toBe(200)
      const secrets = fs.readFileSync(path.join(home, 'again/secrets.json'), 'utf8')
      expect(fs.statSync(path.join(home, 'again/secrets.json')).mode & 0o777).toBe(0o600)
      const pids = pidsOf(path.join(home, 'again'))
      expect(aliveOf(pids)).toHaveLength(8)
      expect((await first.stop('SIGTERM')).code).toBe(0)
      expect(aliveOf(pids)).toEqual([])

      const second = start('again')
      await second.ready
      expect(fs.readFileSync(path.join(home, 'again/secrets.json'), 'utf8')).toBe(secrets)
    },
    2 * START_WITHIN_MS,
  )

  it.each(['SIGINT', 'SIGHUP'])(
    'drains and leaves no process behind after %s',
    async signal => {
      const product = start('signals')
      await product.ready
      const pids = pidsOf(path.join(home, 'signals'))
      const { code, output } = await product.stop(signal)
      expect(code).toBe(0)
      expect(output).toContain('Nothing is left running')
      expect(aliveOf(pids)).toEqual([])
    },
    START_WITHIN_MS,
  )

  it(
    'leaves no process behind after an impatient second Ctrl-C',
    async () => {
      const product = start('signals')
      await product.ready
      const pids = pidsOf(path.join(home, 'signals'))
      const ended = product.stop('SIGINT')
      await sleep(600)
      product.stop('SIGINT')
      expect((await ended).code).toBe(0)
      expect(aliveOf(pids)).toEqual([])
    },
    START_WITHIN_MS,
  )

  it(
    'leaves no process behind when it is stopped in the middle of the start',
    async () => {
      const product = start('early')
      await until(() => product.said().includes('Starting PostgreSQL'), { withinMs: START_WITHIN_MS, everyMs: 5 })
      expect((await product.stop('SIGINT')).code).toBe(0)
      expect(await isOpen(portsOf('early').postgres)).toBe(false)
    },
    START_WITHIN_MS,
  )

  it(
    'lets everything drain by itself when the launcher is killed, and the next start just works',
    async () => {
      const killed = start('killed')
      await killed.ready
      const pids = pidsOf(path.join(home, 'killed'))
      await killed.stop('SIGKILL')
      const next = start('killed')
      await next.ready
      expect(aliveOf(pids)).toEqual([])
      await next.stop('SIGKILL')
      expect(await noneAlive(pidsOf(path.join(home, 'killed')))).toBe(true)
    },
    2 * START_WITHIN_MS,
  )

  it(
    'runs twice side by side with another PORT and DATA_DIR',
    async () => {
      const [left, right] = [start('left'), start('right')]
      const ports = (await Promise.all([left.ready, right.ready])).map(ready => JSON.stringify(ready.ports))
      expect(ports[0]).not.toBe(ports[1])
    },
    2 * START_WITHIN_MS,
  )

  it(
    'starts a service again that dies',
    async () => {
      const product = start('dies')
      await product.ready
      const [victim] = JSON.parse(fs.readFileSync(path.join(home, 'dies/processes.json'), 'utf8'))
      process.kill(victim.pid, 'SIGKILL')
      const { port } = portsOf('dies')[victim.name]
      await until(() => product.said().includes(`${victim.name} ended unexpectedly`), { withinMs: 5000, everyMs: 20 })
      expect(await until(() => isOpen(port), { withinMs: 20_000, everyMs: 100 })).toBe(true)
    },
    START_WITHIN_MS,
  )

  it(
    'refuses a second launcher on the same data folder in one sentence',
    async () => {
      const first = start('shared')
      await first.ready
      const { code, output } = await start('shared').exited
      expect(code).toBe(1)
      expect(output).toContain(`Holdfast already runs with the data folder ${path.join(home, 'shared')}`)
    },
    START_WITHIN_MS,
  )

  it('refuses a taken port in one sentence that names another', async () => {
    const server = net.createServer().listen(nextPort, '127.0.0.1')
    const { code, output } = await start('port', { port: nextPort }).exited
    server.close()
    expect(code).toBe(1)
    expect(output).toContain(`Port ${nextPort} is taken by another program`)
    expect(output).toContain(`PORT=${nextPort + 1} npm start`)
    nextPort++
  })

  it('refuses a data folder that cannot be one', async () => {
    fs.writeFileSync(path.join(home, 'file'), '')
    const { code, output } = await start('file/data').exited
    expect(code).toBe(1)
    expect(output).toContain('is not a folder (ENOTDIR)')
  })

  it(
    'says which service could not start and shows the end of its log',
    async () => {
      const { code, output } = await start('config', { env: { LOG_LEVEL: 'loudest' } }).exited
      expect(code).toBe(1)
      expect(output).toMatch(/could not start \(exit code \d+\)\. The end of .*\.log:/)
      expect(output).toContain('LOG_LEVEL')
    },
    START_WITHIN_MS,
  )
})

function portsOf(folder) {
  return JSON.parse(fs.readFileSync(path.join(home, folder, 'ports.json'), 'utf8')).ports
}
