import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { type Fault, Faults, faultInput } from '../control/faults.js'
import { newBrowser, type Subscription, subscriptionOf } from './browsers.js'
import { pushApi } from './push-api.js'
import type { PushBrowserRecord, PushMessageRecord } from './records.js'

/** A push service for tests, which keeps in memory what it gets. */
export class PushService {
  readonly messages: PushMessageRecord[] = []
  readonly #browsers = new Map<string, PushBrowserRecord>()
  readonly #faults = new Faults()
  readonly #app = Fastify()
  #origin = ''

  static async open(): Promise<PushService> {
    const service = new PushService()
    const store = {
      findBrowser: (id: string) => service.#browsers.get(id) ?? null,
      keep: async (message: PushMessageRecord) => void service.messages.push(message),
    }
    await service.#app.register(pushApi, { prefix: '/push', store, faults: service.#faults, now: Date.now })
    await service.#app.listen({ host: '127.0.0.1', port: 0 })
    service.#origin = `http://127.0.0.1:${(service.#app.server.address() as AddressInfo).port}`
    return service
  }

  /** The address at which it takes messages. */
  get origin(): string {
    return this.#origin
  }

  /** A browser that subscribes with the key of the product. */
  subscribe(serverKey: string): Subscription {
    const browser = newBrowser(serverKey)
    this.#browsers.set(browser.id, browser)
    return subscriptionOf(browser, this.#origin)
  }

  /** The person removes the subscription: messages get 410 from now on. */
  remove({ endpoint }: Subscription): void {
    const browser = this.#browserAt(endpoint)
    this.#browsers.set(browser.id, { ...browser, isGone: true })
  }

  /** The next messages fail so. */
  fail(kind: Fault['kind'], times = 1): void {
    this.#faults.add(faultInput.parse({ kind, times }))
  }

  /** What a browser has shown: the decrypted messages, oldest first. */
  shownIn({ endpoint }: Subscription): readonly unknown[] {
    const { id } = this.#browserAt(endpoint)
    return this.messages.filter(({ browserId }) => browserId === id).map(({ text }) => JSON.parse(text) as unknown)
  }

  close(): Promise<void> {
    return this.#app.close()
  }

  #browserAt(endpoint: string): PushBrowserRecord {
    const browser = this.#browsers.get(endpoint.slice(endpoint.lastIndexOf('/') + 1))
    if (!browser) throw new Error('no browser has this address')
    return browser
  }
}
