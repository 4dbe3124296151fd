import path from 'node:path'
import { startBalancer } from './balancer.js'
import { build } from './build.js'
import { BUILD_RECORDS, entryIn } from './built.js'
import { emptyDataDir, notePorts, preferredBlock } from './data-dir.js'
import { demoAccounts, hasDemo, seedDemo } from './demo.js'
import { startEngines, startPooler } from './distributed.js'
import { environments, migrateEnvironment, sandboxUrl } from './environment.js'
import { Failure, Interrupted } from './failure.js'
import { install, isInstalled, PRODUCT } from './install.js'
import { takeDataDir, waitForTurn } from './lock.js'
import { Logs } from './logs.js'
import { bold, dim, phase, say, sayFailure, seconds } from './output.js'
import { reservePorts } from './ports.js'
import { startPostgres, stopOrphan } from './postgres.js'
import { postgresAnswers } from './postgres-answers.js'
import { checkCheckout, checkDisk, checkPlatform, checkPort, hasRoom } from './preflight.js'
import { endLeftovers, Processes } from './processes.js'
import { waitUntilReady } from './readiness.js'
import { loadSecrets } from './secrets.js'
import { ROOT, readSettings } from './settings.js'
import { listenForStop } from './signals.js'
import { Supervisor } from './supervisor.js'
import { runTask } from './task.js'
import { needsDatabase, TOPOLOGY } from './topology.js'
import { undoAll } from './undo.js'

/**
 * `npm start`: brings the whole product up, keeps it running until a signal asks it to stop, and stops all of it.
 * Never returns: it ends the process, with 0 after such a signal and 1 when something went wrong.
 */
export async function launch(args, env) {
  const processes = new Processes()
  const stop = listenForStop({
    onFirst: () => say('', dim('  Stopping: running requests are finished first. Ctrl-C again stops at once.')),
    onSecond: () => say(dim('  Stopping at once.')),
  })
  const undo = []
  let exitCode = 0
  try {
    await Promise.race([run(readSettings(args, env), processes, undo), stop.interrupted])
  } catch (error) {
    if (!(error instanceof Interrupted)) {
      exitCode = 1
      sayFailure(error)
    }
  }
  await processes.close(stop.hurry)
  if (!(await undoAll(undo))) exitCode = 1
  if (exitCode === 0) say(dim('  Stopped. Nothing is left running; the data stay.'))
  process.exit(exitCode)
}

// The steps of a start, in order. It ends only by throwing. `undo` collects what to release once every process has ended.
async function run(settings, processes, undo) {
  const began = performance.now()
  say('', bold('Holdfast'), '')
  const { dataDir } = settings

  await phase('Checking the machine', async note => {
    checkPlatform()
    checkCheckout(ROOT)
    checkDisk(dataDir, { installed: isInstalled(ROOT, PRODUCT) })
    undo.push(takeDataDir(dataDir, settings.publicUrl))
    await endLeftovers(path.join(dataDir, 'processes.json'), names =>
      note(`waiting for processes of a killed start: ${names.join(', ')}`),
    )
    await checkPort(settings.host, settings.port)
    return `Node ${process.versions.node}, port ${settings.port}`
  })
  processes.recordIn(path.join(dataDir, 'processes.json'))
  if (settings.fresh) {
    await stopOrphan(path.join(dataDir, 'postgres'))
    emptyDataDir(dataDir)
  }

  const endTurn = await takeTurn(undo)
  await installAndBuild(processes)
  const plan = await makePlan(settings, undo)
  if (settings.distributed) {
    plan.engines = (await startEngines(processes, undo, dataDir, process.env)).environment
  }
  const logs = new Logs(path.join(dataDir, 'logs'))
  const supervisor = new Supervisor(processes, logs, name => hindranceOf(name, plan), {}, settings.preload)
  const going = work => Promise.race([work, supervisor.failed])

  const database = {
    folder: path.join(dataDir, 'postgres'),
    port: plan.ports.postgres,
    password: plan.secrets.postgresPassword,
  }
  await phase('Starting PostgreSQL', async () => {
    const entry = await startPostgres(processes, logs, database)
    const startAgain = () => startPostgres(processes, logs, database)
    supervisor.watch('postgres', entry, startAgain, () => postgresAnswers(database.port))
  })
  if (settings.pooler) {
    await phase('Starting pgbouncer', async () => {
      Object.assign(plan, await startPooler(undo, plan))
      return 'every service runs behind it'
    })
  }
  await phase('Migrating the database', () => going(migrate(processes, plan)))
  await phase('Starting the services', async note => {
    await startProcesses(plan, supervisor, undo)
    await going(waitUntilReady(`http://127.0.0.1:${settings.port}`, note))
  })
  endTurn()
  supervisor.settled()
  say('', `  ${bold(settings.publicUrl)} is ready to use ${dim(`after ${seconds(performance.now() - began)}`)}`, '')
  sayWhereThingsAre(plan)
  process.send?.({
    ready: {
      baseUrl: settings.publicUrl,
      sandboxUrl: sandboxUrl(plan),
      ports: plan.ports,
      brokers: plan.engines?.KAFKA_BROKERS,
      poolerPort: plan.poolerPort,
    },
  })

  await going(fillDemo(processes, plan))
  const accounts = demoAccounts(dataDir)
  if (accounts.length > 0) say('', '  Demo accounts', ...accounts.map(line => `    ${line}`), '')
  await supervisor.failed
}

/**
 * Only one launcher of a checkout at a time may install, build and start services: a build rewrites the outputs of a package,
 * and a process that starts meanwhile could read half of a file. Answers the function that ends the turn.
 */
async function takeTurn(undo) {
  let shown = false
  const release = await waitForTurn(path.join(ROOT, BUILD_RECORDS, 'launcher.lock'), () => {
    if (!shown) say(dim('  Another launcher builds or starts this checkout; waiting for it.'))
    shown = true
  })
  undo.push(release)
  return release
}

async function installAndBuild(processes) {
  if (!isInstalled(ROOT, PRODUCT)) {
    await phase('Installing packages', note => install(processes, ROOT, PRODUCT, note))
  }
  await phase('Building', note => build(processes, note))
}

async function makePlan(settings, undo) {
  const reserved = await reservePorts(preferredBlock(settings.dataDir), settings.port, TOPOLOGY, settings.replicas)
  undo.push(reserved.release)
  notePorts(settings.dataDir, reserved)
  return { settings, secrets: loadSecrets(settings.dataDir), ports: reserved.ports }
}

/** Starts every process of the product: once, or as several replicas behind a balancer. */
async function startProcesses(plan, supervisor, undo) {
  const { settings, ports } = plan
  const environmentOf = environments(plan)
  for (const name of TOPOLOGY.processes.keys()) {
    const { port, replicas } = ports[name]
    if (!replicas) {
      supervisor.startNode(name, environmentOf(name))
      continue
    }
    const address = name === 'gateway' ? settings : { host: '127.0.0.1', port }
    const listening = replicas.map(replica => replica.port)
    undo.push(await startBalancer(address, listening))
    for (const [index, replica] of replicas.entries())
      supervisor.startNode(name, environmentOf(name, replica), `${name}-${index + 1}`)
  }
}

/** Why a process could not start now, as a clause of a sentence; null when it could. */
async function hindranceOf(name, { settings, ports }) {
  if (!hasRoom(settings.dataDir)) return 'the disk is full'
  if (name === 'postgres' || !needsDatabase(name) || (await postgresAnswers(ports.postgres))) return null
  return 'the database does not answer'
}

function migrate(processes, plan) {
  return runTask(processes, 'migrate', process.execPath, [path.join(ROOT, entryIn('tools/migrate'))], {
    env: migrateEnvironment(plan),
    failure: 'The database could not be brought up to date; this is what the migration printed:',
  })
}

// A failure is shown, and the next start tries again: the product works without its demo.
async function fillDemo(processes, plan) {
  if (!plan.settings.demo || hasDemo(plan.settings.dataDir)) return
  try {
    await phase('Filling in the demo', note => seedDemo(processes, plan, note))
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    sayFailure(error)
  }
}

function sayWhereThingsAre(plan) {
  const logs = path.join(plan.settings.dataDir, 'logs')
  const nearby = path.relative(process.cwd(), logs)
  say(
    '  Test cards (any future date, any CVC)',
    '    4242 4242 4242 4242  is paid',
    '    4000 0000 0000 0002  is declined',
    '    4000 0025 0000 3155  asks for a confirmation first',
    '',
    `  Payments and parcels   ${sandboxUrl(plan)}`,
    `  Mails                  ${sandboxUrl(plan)}/mails`,
    `  Logs                   ${nearby.startsWith('..') ? logs : nearby}`,
    '  Stop                   Ctrl-C',
    '',
  )
}
