import fs from 'node:fs'
import path from 'node:path'
import { commandPath } from '@holdfast/engines/commands'
import { KAFKA_LIBRARIES } from '@holdfast/engines/kafka'
import { command, run } from '../../e2e/support/runbooks.js'

/** For tests: runs the runbook's command that lets groups skip events, on a Kafka without TLS and passwords. */
export async function skipEvents({ broker }, folder, values = {}) {
  // Kafka's own script does this, too: the engine has Kafka's libraries alone.
  const script = `#!/bin/sh\nexec ${commandPath('java')} -XX:TieredStopAtLevel=1 -cp '${KAFKA_LIBRARIES}/*' \\
  org.apache.kafka.tools.consumer.group.ConsumerGroupCommand "$@"\n`
  fs.writeFileSync(path.join(folder, 'kafka-consumer-groups.sh'), script, { mode: 0o755 })
  fs.writeFileSync(path.join(folder, 'client.properties'), '')
  const env = { KAFKA_BROKERS: broker, PATH: `${folder}:${process.env.PATH}` }
  return run(command('restore.md', '--reset-offsets', values), { env, cwd: folder })
}
