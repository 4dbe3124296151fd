import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { type Fault, Faults, faultInput } from '../control/faults.js'
import type { SmsRecord } from './records.js'
import { twilioApi } from './twilio-api.js'

const ACCOUNT = { sid: `AC${'0'.repeat(32)}`, token: 'a token for tests alone' }

/** A text provider for tests, which keeps in memory what it gets. */
export class PhoneNetwork {
  readonly texts: SmsRecord[] = []
  readonly #faults = new Faults()
  readonly #app = Fastify()
  #origin = ''

  static async open(): Promise<PhoneNetwork> {
    const network = new PhoneNetwork()
    const keep = async (sms: SmsRecord) => void network.texts.push(sms)
    await network.#app.register(twilioApi, {
      ...{ prefix: '/2010-04-01', account: ACCOUNT, keep, faults: network.#faults, now: Date.now },
    })
    await network.#app.listen({ host: '127.0.0.1', port: 0 })
    network.#origin = `http://127.0.0.1:${(network.#app.server.address() as AddressInfo).port}`
    return network
  }

  /** The variables of a service that sends its texts here. */
  get environment(): Record<string, string> {
    return {
      TWILIO_API_URL: this.#origin,
      TWILIO_ACCOUNT_SID: ACCOUNT.sid,
      TWILIO_AUTH_TOKEN: ACCOUNT.token,
      TWILIO_FROM: '+15550100000',
    }
  }

  get token(): string {
    return ACCOUNT.token
  }

  /** The next calls fail so. */
  fail(kind: Fault['kind'], times = 1): void {
    this.#faults.add(faultInput.parse({ kind, times }))
  }

  textsTo(number: string): readonly string[] {
    return this.texts.filter(({ to }) => to === number).map(({ body }) => body)
  }

  close(): Promise<void> {
    return this.#app.close()
  }
}
