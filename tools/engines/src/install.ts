import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { commandPath, findCommand } from './commands.js'
import { installWithGo } from './go.js'
import { JAEGER_COMMAND } from './jaeger.js'
import { KAFKA_LIBRARIES, KAFKA_VERSION } from './kafka.js'
import { VERSITYGW_VERSION } from './s3.js'

/** An engine of this machine: what it needs from the system, and how the rest is fetched from the registries. */
interface Engine {
  readonly name: string
  /** Commands that must be there, with the Debian packages that bring them. */
  readonly commands: Readonly<Record<string, string>>
  readonly isInstalled: () => boolean
  readonly install: () => void
}

const MAVEN = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies'
const VERSITYGW = `github.com/versity/versitygw/cmd/versitygw@${VERSITYGW_VERSION}`
/** This version describes the API version that the `stripe` package of escrow-svc sends: they move together. */
const STRIPE_MOCK = 'github.com/stripe/stripe-mock@v0.203.0'
/** Newer versions compile for three times as long, and take spans in the same way. */
const JAEGER = `github.com/jaegertracing/jaeger/cmd/${JAEGER_COMMAND}@v1.41.0`
const GO = { go: 'golang (1.24 or newer)' }

export const ENGINES: readonly Engine[] = [
  {
    name: 'Kafka',
    commands: { java: 'openjdk-17-jre-headless', mvn: 'maven' },
    isInstalled: () => fs.existsSync(KAFKA_LIBRARIES),
    install: installKafka,
  },
  {
    name: 'S3',
    commands: GO,
    isInstalled: () => findCommand('versitygw') !== null,
    install: () => installWithGo(VERSITYGW),
  },
  {
    name: 'Stripe’s mock',
    commands: GO,
    isInstalled: () => findCommand('stripe-mock') !== null,
    install: () => installWithGo(STRIPE_MOCK),
  },
  {
    name: 'Jaeger',
    commands: GO,
    isInstalled: () => findCommand(JAEGER_COMMAND) !== null,
    install: () => installWithGo(JAEGER),
  },
  {
    name: 'Redis',
    commands: { 'redis-server': 'redis-server' },
    isInstalled: () => true,
    install: () => {},
  },
]

/** The commands that an engine lacks on this machine, with the packages that bring them. */
export const missingFor = (engine: Engine): string[] =>
  Object.entries(engine.commands)
    .filter(([command]) => findCommand(command) === null)
    .map(([command, debianPackage]) => `${command} (Debian: ${debianPackage})`)

/** Fetches Kafka's libraries into a folder of another name first, so that a fetch that is interrupted is not taken for complete. */
function installKafka(): void {
  const fetched = `${KAFKA_LIBRARIES}.fetching`
  fs.rmSync(fetched, { recursive: true, force: true })
  fs.mkdirSync(fetched, { recursive: true })
  const project = path.join(fetched, 'pom.xml')
  fs.writeFileSync(project, POM)
  run('mvn', ['-q', '-f', project, MAVEN, `-DoutputDirectory=${fetched}`])
  fs.renameSync(fetched, KAFKA_LIBRARIES)
}

/** Of Kafka's tools only those are used that need none of their other dependencies. */
const POM = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>holdfast</groupId>
  <artifactId>kafka</artifactId>
  <version>1</version>
  <dependencies>
    <dependency>
      <groupId>org.apache.kafka</groupId>
      <artifactId>kafka_2.13</artifactId>
      <version>${KAFKA_VERSION}</version>
    </dependency>
    <dependency>
      <groupId>org.apache.kafka</groupId>
      <artifactId>kafka-tools</artifactId>
      <version>${KAFKA_VERSION}</version>
      <exclusions>
        <exclusion>
          <groupId>*</groupId>
          <artifactId>*</artifactId>
        </exclusion>
      </exclusions>
    </dependency>
    <dependency>
      <groupId>org.slf4j</groupId>
      <artifactId>slf4j-simple</artifactId>
      <version>1.7.36</version>
    </dependency>
  </dependencies>
</project>
`

function run(command: string, args: readonly string[]): void {
  const { status } = spawnSync(commandPath(command), args, { stdio: ['ignore', 'inherit', 'inherit'] })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}`)
}
