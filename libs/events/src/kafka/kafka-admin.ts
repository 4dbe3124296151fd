import { isDoneWithin } from '@holdfast/service-kit/lifecycle/waiting'
import type { Admin } from 'kafkajs'
import { CLOSE_MS, disconnect } from './kafka-client.js'

/**
 * The admin client of a process. After a failed call it is replaced: kafkajs goes on with the broker that it is connected to, also when that one
 * accepts connections and answers nothing, and a new client may begin with another broker.
 */
export class KafkaAdmin {
  private current: Admin | undefined

  /** @param make makes a client that is not connected */
  constructor(private readonly make: () => Admin) {}

  /** Calls `work` with a connected client. @throws what `work` does, or when Kafka does not answer */
  async use<T>(work: (admin: Admin) => Promise<T>): Promise<T> {
    this.current ??= this.make()
    const admin = this.current
    try {
      await admin.connect()
      return await work(admin)
    } catch (error) {
      if (this.current === admin) this.current = undefined
      void disconnect(admin)
      throw error
    }
  }

  async close(): Promise<void> {
    const admin = this.current
    this.current = undefined
    if (admin) await isDoneWithin(CLOSE_MS, disconnect(admin))
  }
}
