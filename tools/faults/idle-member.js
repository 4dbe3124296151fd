import { createRequire } from 'node:module'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '../dev/failure.js'
import { sendSignal } from '../dev/processes.js'
import { runningProcesses } from '../dev/product.js'
import { ROOT } from '../dev/settings.js'

// It belongs to the library of events.
const { AssignerProtocol, Kafka, logLevel } = createRequire(path.join(ROOT, 'libs/events/package.json'))('kafkajs')

const TAKEN_WITHIN_MS = 90_000

/**
 * A member of a consumer group that takes all partitions and handles nothing, as a consumer does that hangs. Kafka has the member that is
 * there for longest share the partitions out, so the service's own process is killed and comes back as the younger one. Resolves, once the
 * partitions are taken, to what ends the member.
 * @param {{ broker: string, group: string, dataDir: string }} of `group` is the name of the service, too
 */
export async function takeAllPartitions({ broker, group, dataDir }) {
  const kafka = new Kafka({ clientId: 'idle-member', brokers: [broker], logLevel: logLevel.NOTHING })
  const admin = kafka.admin()
  await admin.connect()
  const offsets = await admin.fetchOffsets({ groupId: group })
  await admin.disconnect()
  const all = Object.fromEntries(
    offsets.map(({ topic, partitions }) => [topic, partitions.map(each => each.partition)]),
  )
  const topics = Object.keys(all)
  const count = Object.values(all).flat().length
  let own = ''
  const consumer = kafka.consumer({ groupId: group, partitionAssigners: [everythingTo(() => own, all)] })
  const taken = new Promise(resolve => {
    consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
      own = payload.memberId
      if (Object.values(payload.memberAssignment).flat().length === count) resolve(true)
    })
  })
  const joined = new Promise(resolve => consumer.on(consumer.events.GROUP_JOIN, resolve))
  await consumer.connect()
  await consumer.subscribe({ topics })
  await consumer.run({ autoCommit: false, eachBatchAutoResolve: false, eachBatch: ({ pause }) => void pause() })
  await joined
  sendSignal(runningProcesses(dataDir).find(({ name }) => name === group).pid, 'SIGKILL')
  if (!(await Promise.race([taken, sleep(TAKEN_WITHIN_MS, false)]))) {
    await consumer.disconnect()
    throw new Failure(`the partitions of ${group} could not be taken`)
  }
  return () => consumer.disconnect()
}

/** As kafkajs's own assigner, and with its name, since all members of a group must know the same one. */
const everythingTo = (memberId, all) => () => ({
  name: 'RoundRobinAssigner',
  version: 0,
  assign: async ({ members }) =>
    members.map(member => ({
      memberId: member.memberId,
      memberAssignment: AssignerProtocol.MemberAssignment.encode({
        version: 0,
        assignment: member.memberId === memberId() ? all : {},
        userData: Buffer.alloc(0),
      }),
    })),
  protocol: ({ topics }) => ({
    name: 'RoundRobinAssigner',
    metadata: AssignerProtocol.MemberMetadata.encode({ version: 0, topics, userData: Buffer.alloc(0) }),
  }),
})
