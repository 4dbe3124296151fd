import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { commandPath, ENGINES_HOME } from './commands.js'
import { EngineProcess } from './engine-process.js'
import { answersAt, freePort } from './ports.js'

const run = promisify(execFile)

/** A running Kafka of one broker, which is its own controller. Its data survive `kill` and `start`. */
export interface KafkaEngine {
  readonly broker: string
  readonly process: EngineProcess
}

/** The folder with Kafka's libraries, which `install` fills. */
export const KAFKA_LIBRARIES = path.join(ENGINES_HOME, 'kafka-4.3.1')

const SMALL_JVM = ['-Xms64m', '-Xmx256m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1']

/**
 * Starts a Kafka whose data lie in `folder`.
 * @param link makes the port by which clients reach it, such as that of a proxy, from its own
 */
export async function startKafka(
  folder: string,
  link: (port: number) => Promise<number> = async port => port,
): Promise<KafkaEngine> {
  const [port, controllerPort] = [await freePort(), await freePort()]
  const file = path.join(folder, 'server.properties')
  fs.mkdirSync(folder, { recursive: true })
  const advertised = await link(port)
  fs.writeFileSync(file, properties(path.join(folder, 'data'), { port, advertised, controllerPort }))
  const java = commandPath('java')
  const classPath = ['-cp', path.join(KAFKA_LIBRARIES, '*')]
  const cluster = randomUUID()
  await run(java, [...classPath, 'kafka.tools.StorageTool', 'format', '--ignore-formatted', '-t', cluster, '-c', file])
  const process = new EngineProcess({
    name: 'Kafka',
    file: java,
    args: [...SMALL_JVM, ...classPath, 'kafka.Kafka', file],
    logFile: path.join(folder, 'kafka.log'),
    isReady: () => answersAt(port),
    withinMs: 60_000,
  })
  await process.start()
  return { broker: `127.0.0.1:${advertised}`, process }
}

interface Ports {
  readonly port: number
  readonly advertised: number
  readonly controllerPort: number
}

const properties = (data: string, { port, advertised, controllerPort }: Ports): string => `
process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:${controllerPort}
listeners=PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}
advertised.listeners=PLAINTEXT://127.0.0.1:${advertised}
listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT
controller.listener.names=CONTROLLER
log.dirs=${data}
auto.create.topics.enable=false
num.partitions=1
default.replication.factor=1
min.insync.replicas=1
offsets.topic.replication.factor=1
offsets.topic.num.partitions=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
transaction.state.log.num.partitions=1
share.coordinator.state.topic.replication.factor=1
share.coordinator.state.topic.min.isr=1
group.initial.rebalance.delay.ms=0
log.cleaner.dedupe.buffer.size=8388608
broker.session.timeout.ms=2000
broker.heartbeat.interval.ms=500
`
