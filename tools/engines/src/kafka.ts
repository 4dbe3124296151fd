import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { commandPath, ENGINES_HOME } from './commands.js'
import { EngineProcess } from './engine-process.js'
import { answersAt, freePort } from './ports.js'

const run = promisify(execFile)

/** A running broker of Kafka, which is a controller, too. Its data survive `kill` and `start`. */
export interface KafkaEngine {
  readonly broker: string
  readonly process: EngineProcess
}

/** How clients reach a broker that asks for TLS and a password. */
export interface KafkaSecurity {
  /** A PEM file with the broker's private key and certificate. */
  readonly keyStore: string
  /** A PEM file with the certificate of the authority that has issued it. */
  readonly trustStore: string
  readonly username: string
  readonly password: string
}

export const KAFKA_VERSION = '4.3.1'
/** The folder with the libraries of Kafka and of its tools, which `install` fills. */
export const KAFKA_LIBRARIES = path.join(ENGINES_HOME, `kafka-${KAFKA_VERSION}-with-tools`)

const SMALL_JVM = ['-Xms64m', '-Xmx256m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1']

/**
 * Starts a Kafka of one broker whose data lie in `folder`.
 * @param link makes the port by which clients reach it, such as that of a proxy, from its own
 * @param security lets clients in with TLS and SCRAM-SHA-512 alone
 */
export async function startKafka(
  folder: string,
  link: (port: number) => Promise<number> = async port => port,
  security?: KafkaSecurity,
): Promise<KafkaEngine> {
  const [port, controllerPort] = [await freePort(), await freePort()]
  const broker = { id: 1, folder, port, advertised: await link(port), controllerPort }
  return startBroker(broker, { id: randomUUID(), brokers: [broker] }, security)
}

/** Starts a Kafka of several brokers, whose ids begin at 1. An event is acknowledged when all brokers but one have it. */
export async function startKafkaCluster(folder: string, size: number): Promise<KafkaEngine[]> {
  const brokers: Broker[] = []
  for (let id = 1; id <= size; id++) {
    const port = await freePort()
    const controllerPort = await freePort()
    brokers.push({ id, folder: path.join(folder, String(id)), port, advertised: port, controllerPort })
  }
  const cluster = { id: randomUUID(), brokers }
  return Promise.all(brokers.map(broker => startBroker(broker, cluster)))
}

interface Broker {
  readonly id: number
  readonly folder: string
  readonly port: number
  readonly advertised: number
  readonly controllerPort: number
}

interface Cluster {
  readonly id: string
  readonly brokers: readonly Broker[]
}

async function startBroker(broker: Broker, cluster: Cluster, security?: KafkaSecurity): Promise<KafkaEngine> {
  const { folder, port, advertised } = broker
  const file = path.join(folder, 'server.properties')
  fs.mkdirSync(folder, { recursive: true })
  fs.writeFileSync(file, properties(broker, cluster) + (security ? secured(security) : ''))
  const java = commandPath('java')
  const classPath = ['-cp', path.join(KAFKA_LIBRARIES, '*')]
  const format = ['kafka.tools.StorageTool', 'format', '--ignore-formatted', '-t', cluster.id, '-c', file]
  if (security) format.push('--add-scram', `SCRAM-SHA-512=[name=${security.username},password=${security.password}]`)
  await run(java, [...SMALL_JVM, ...classPath, ...format])
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

function properties({ id, folder, port, advertised, controllerPort }: Broker, { brokers }: Cluster): string {
  const copies = brokers.length
  const inSync = Math.max(1, copies - 1)
  return `
process.roles=broker,controller
node.id=${id}
controller.quorum.voters=${brokers.map(each => `${each.id}@127.0.0.1:${each.controllerPort}`).join(',')}
listeners=CLIENTS://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}
advertised.listeners=CLIENTS://127.0.0.1:${advertised}
listener.security.protocol.map=CONTROLLER:PLAINTEXT,CLIENTS:PLAINTEXT
inter.broker.listener.name=CLIENTS
controller.listener.names=CONTROLLER
log.dirs=${path.join(folder, 'data')}
auto.create.topics.enable=false
num.partitions=1
default.replication.factor=${copies}
min.insync.replicas=${inSync}
offsets.topic.replication.factor=${copies}
offsets.topic.num.partitions=1
transaction.state.log.replication.factor=${copies}
transaction.state.log.min.isr=${inSync}
transaction.state.log.num.partitions=1
share.coordinator.state.topic.replication.factor=${copies}
share.coordinator.state.topic.min.isr=${inSync}
group.initial.rebalance.delay.ms=0
log.cleaner.dedupe.buffer.size=8388608
broker.session.timeout.ms=2000
broker.heartbeat.interval.ms=500
leader.imbalance.check.interval.seconds=1
`
}

/** These lines replace earlier ones of the same names. */
const secured = ({ keyStore, trustStore, username, password }: KafkaSecurity): string => `
listener.security.protocol.map=CONTROLLER:PLAINTEXT,CLIENTS:SASL_SSL
ssl.keystore.type=PEM
ssl.keystore.location=${keyStore}
ssl.truststore.type=PEM
ssl.truststore.location=${trustStore}
sasl.enabled.mechanisms=SCRAM-SHA-512
sasl.mechanism.inter.broker.protocol=SCRAM-SHA-512
listener.name.clients.scram-sha-512.sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required username="${username}" password="${password}";
`
