import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { forgetBuilt, readPackages, stalePackages } from './built.js'
import { listen } from './listen.js'
import { identityOf } from './process-identity.js'
import { Processes } from './processes.js'
import { pidsOf, runningProcesses, startProduct } from './product.js'
import { ROOT } from './settings.js'
import { TOPOLOGY } from './topology.js'
import { until } from './wait.js'

const START_WITHIN_MS = 60_000
// As long as a start waits for the processes of a killed launcher before it kills them.
const SERVICES_END_WITHIN_MS = 25_000
// The launcher takes two signals closer together than this for one Ctrl-C.
const IMPATIENCE_MS = 600

let home
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

// From the range that the system assigns. The launcher takes its own ports from another range.
async function freePort() {
  const server = net.createServer()
  const port = await listen(server)
  await new Promise(resolve => server.close(resolve))
  return port
}

async function start(folder, options = {}) {
  const port = options.port ?? (await freePort())
  const product = startProduct(processes, {
    args: ['--no-demo', ...(options.args ?? [])],
    env: { DATA_DIR: folderOf(folder), PORT: String(port), ...options.env },
  })
  running.add(product)
  product.exited.then(() => running.delete(product))
  return product
}

const folderOf = folder => path.join(home, folder)
const aliveOf = pids => pids.filter(pid => identityOf(pid) !== null)
const isOpen = port =>
  new Promise(resolve => {
    const socket = net.connect({ host: '127.0.0.1', port })
    socket.once('connect', () => {
      resolve(true)
      socket.destroy()
    })
    socket.once('error', () => resolve(false))
  })

// A start takes seconds, so most of these share a data folder, and each start proves several things.
describe('npm start', () => {
  let secrets

  it(
    'serves, refuses a second launcher on its data, restarts a service that dies, and runs beside another product',
    async () => {
      const [left, right] = [await start('left'), await start('right')]
      const [leftReady, rightReady] = await Promise.all([left.ready, right.ready])
      expect(JSON.stringify(leftReady.ports)).not.toBe(JSON.stringify(rightReady.ports))
      for (const { baseUrl } of [leftReady, rightReady]) expect((await fetch(`${baseUrl}/healthz`)).status).toBe(200)

      const second = await (await start('left')).exited
      expect(second.code).toBe(1)
      expect(second.output).toContain(`Holdfast already runs with the data folder ${folderOf('left')}`)

      const [victim] = JSON.parse(fs.readFileSync(path.join(folderOf('left'), 'processes.json'), 'utf8'))
      process.kill(victim.pid, 'SIGKILL')
      await until(() => left.output().includes(`${victim.name} ended unexpectedly`), { withinMs: 5000, everyMs: 20 })
      expect(await until(() => isOpen(leftReady.ports[victim.name].port), { withinMs: 30_000, everyMs: 100 })).toBe(
        true,
      )

      secrets = fs.readFileSync(path.join(folderOf('left'), 'secrets.json'), 'utf8')
      for (const { folder, product, signal } of [
        { folder: 'left', product: left, signal: /** @type {const} */ ('SIGTERM') },
        { folder: 'right', product: right, signal: /** @type {const} */ ('SIGHUP') },
      ]) {
        const pids = pidsOf(folderOf(folder))
        expect(aliveOf(pids)).toHaveLength(TOPOLOGY.processes.size + 1)
        const { code, output } = await product.stop(signal)
        expect(code).toBe(0)
        expect(output).toContain('Nothing is left running')
        expect(aliveOf(pids)).toEqual([])
      }
    },
    3 * START_WITHIN_MS,
  )

  it('starts again with the same data, and leaves no process behind after an impatient second Ctrl-C', async () => {
    const product = await start('left')
    await product.ready
    expect(fs.readFileSync(path.join(folderOf('left'), 'secrets.json'), 'utf8')).toBe(secrets)
    const pids = pidsOf(folderOf('left'))
    const ended = product.stop('SIGINT')
    await sleep(IMPATIENCE_MS)
    product.stop('SIGINT')
    expect((await ended).code).toBe(0)
    expect(aliveOf(pids)).toEqual([])
  })

  it(
    'leaves processes that end by themselves when the launcher is killed, and the next start works',
    async () => {
      const killed = await start('left')
      await killed.ready
      const pids = pidsOf(folderOf('left'))
      const services = runningProcesses(folderOf('left')).map(({ pid }) => pid)
      await killed.stop('SIGKILL')
      // The next start would kill them. It also stops PostgreSQL, which goes on until then.
      const haveEnded = () => aliveOf(services).length === 0
      expect(await until(haveEnded, { withinMs: SERVICES_END_WITHIN_MS, everyMs: 50 })).toBe(true)
      const next = await start('left')
      await next.ready
      expect(aliveOf(pids)).toEqual([])
      expect((await next.stop('SIGINT')).code).toBe(0)
    },
    3 * START_WITHIN_MS,
  )

  it('leaves no process behind when it is stopped in the middle of the start', async () => {
    const product = await start('left')
    await until(() => product.output().includes('Starting PostgreSQL'), { withinMs: START_WITHIN_MS, everyMs: 5 })
    expect((await product.stop('SIGINT')).code).toBe(0)
    expect(await isOpen(portsOf('left').postgres)).toBe(false)
  })

  it('leaves no process behind when it is stopped while it builds', async () => {
    // The web app takes longest to build.
    const [web] = readPackages(ROOT).filter(({ kind }) => kind === 'web')
    forgetBuilt(ROOT, web)
    const product = await start('left')
    expect(await until(() => runningBuilds().length > 0, { withinMs: START_WITHIN_MS, everyMs: 5 })).toBe(true)
    expect((await product.stop('SIGINT')).code).toBe(0)
    expect(runningBuilds()).toEqual([])
    expect(stalePackages(ROOT)).toEqual([expect.objectContaining({ name: web.name })])
  })

  it('empties the data folder when asked to, and names the service that could not start, with the end of its log', async () => {
    const { code, output } = await (await start('left', { args: ['--fresh'], env: { LOG_LEVEL: 'loudest' } })).exited
    expect(code).toBe(1)
    expect(output).toMatch(/could not start \(exit code \d+\)\. The end of .*\.log:/)
    expect(output).toContain('LOG_LEVEL')
    expect(fs.readFileSync(path.join(folderOf('left'), 'secrets.json'), 'utf8')).not.toBe(secrets)
  })

  it('refuses a taken port in one sentence that names another', async () => {
    const port = await freePort()
    const server = net.createServer().listen(port, '127.0.0.1')
    const { code, output } = await (await start('port', { port })).exited
    server.close()
    expect(code).toBe(1)
    expect(output).toContain(`Port ${port} is taken by another program`)
    expect(output).toContain(`PORT=${port + 1} npm start`)
  })

  it('refuses a data folder that cannot be one', async () => {
    fs.writeFileSync(path.join(home, 'file'), '')
    const { code, output } = await (await start('file/data')).exited
    expect(code).toBe(1)
    expect(output).toContain('is not a folder (ENOTDIR)')
  })
})

/** The processes that build this checkout. */
function runningBuilds() {
  const { stdout } = spawnSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' })
  return stdout.split('\n').filter(line => line.includes(path.join(ROOT, 'tools/dev/build-packages.js')))
}

function portsOf(folder) {
  return JSON.parse(fs.readFileSync(path.join(folderOf(folder), 'ports.json'), 'utf8')).ports
}
