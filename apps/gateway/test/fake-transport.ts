import type { EventEnvelope } from '@holdfast/contracts/events'
import type { EventTransport, Subscription, TailOptions } from '@holdfast/events/transport'

/** An event log without storage: it passes an event at once to every open tail. */
export class FakeTransport implements EventTransport {
  private readonly tails = new Set<TailOptions>()

  emit(event: EventEnvelope): void {
    for (const { topics, handler } of this.tails) if (topics.includes(event.topic)) void handler(event)
  }

  async start(): Promise<void> {}

  async tail(options: TailOptions): Promise<Subscription> {
    this.tails.add(options)
    return { close: async () => void this.tails.delete(options) }
  }

  async stop(): Promise<void> {
    this.tails.clear()
  }

  publish(): Promise<void> {
    throw new Error('the gateway publishes nothing')
  }

  subscribe(): Promise<Subscription> {
    throw new Error('the gateway belongs to no group')
  }

  lag(): Promise<never> {
    throw new Error('the gateway belongs to no group')
  }
}
