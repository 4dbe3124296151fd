import kafkajs from 'kafkajs'

const { AssignerProtocol, Kafka, logLevel, PartitionAssigners } = kafkajs
const MARK = 'silent'

/**
 * A member of a consumer group that is alive and handles nothing: what it was assigned waits. It stands for a replica whose handlers hang.
 * When it leads the group, it keeps all partitions for itself.
 */
export class SilentMember {
  #consumer

  constructor(broker, group) {
    const kafka = new Kafka({ clientId: MARK, brokers: [broker], logLevel: logLevel.NOTHING })
    this.#consumer = kafka.consumer({ groupId: group, sessionTimeout: 10_000, partitionAssigners: [keepsAll] })
  }

  /** Resolves when it has been assigned partitions. */
  async join(topics) {
    const joined = new Promise(resolve => {
      this.#consumer.on(this.#consumer.events.GROUP_JOIN, resolve)
    })
    await this.#consumer.connect()
    await this.#consumer.subscribe({ topics })
    await this.#consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      eachBatch: async ({ pause }) => void pause(),
    })
    await joined
  }

  async leave() {
    await this.#consumer.disconnect()
  }
}

/** As the assigner of kafkajs, so that the group accepts it. It counts only when this member leads the group. */
function keepsAll(config) {
  const usual = PartitionAssigners.roundRobin(config)
  return {
    ...usual,
    protocol: ({ topics }) => ({
      name: usual.name,
      metadata: AssignerProtocol.MemberMetadata.encode({ version: usual.version, topics, userData: Buffer.from(MARK) }),
    }),
    assign({ members, topics }) {
      const isSilent = ({ memberMetadata }) =>
        AssignerProtocol.MemberMetadata.decode(memberMetadata)?.userData?.toString() === MARK
      return usual.assign({ members: members.filter(isSilent), topics })
    },
  }
}
