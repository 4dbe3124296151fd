import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export type Step = 'freeze' | 'resume' | 'settle-dispute' | 'settlement-terms' | 'track'

/** What escrow answered to a call. */
interface EscrowAnswer {
  readonly status: number
  readonly body: { readonly code?: string; readonly status?: string }
}

/** A call that the proxy holds back. */
export interface HeldCall {
  /** Resolves when dispute-svc has made the call. */
  readonly made: Promise<void>
  /** Breaks the caller's connection: the caller does not know whether the call was carried out. */
  lose(): void
  /** Delivers the call to escrow, however late. */
  deliver(): Promise<EscrowAnswer>
  /** Passes escrow's answer on; delivers the call first unless that was done. */
  answer(): Promise<void>
}

interface Call {
  readonly incoming: IncomingMessage
  readonly body: Buffer
  readonly response: ServerResponse
}

const isSameCall = (a: Call, b: Call): boolean => a.incoming.url === b.incoming.url && a.body.equals(b.body)

/**
 * What happens to a call on its way. `late`: its caller's connection breaks, and the call is delivered later. `lostAnswer`: it
 * is delivered, and the connection breaks in place of the answer. `lateAnswer`: its answer comes after a pause.
 */
export type LineFault = 'none' | 'late' | 'lostAnswer' | 'lateAnswer'

/** Long enough for an event of escrow to be handled before the answer arrives, much shorter than the caller's time limit. */
const ANSWER_PAUSE_MS = 150

/** A proxy between dispute-svc and escrow-svc. It can hold a call back, deliver it late, and lose its answer. */
export class EscrowLine {
  /** The ports of escrow's replicas; none while it is stopped. Calls go to them in turn. */
  targets: readonly number[] = []
  /** Chooses the fault of each call. */
  nextFault: () => LineFault = () => 'none'
  private readonly late: Call[] = []
  /** The sendings of each call that is held back. */
  private readonly held = new Set<Call[]>()
  private turn = 0
  private readonly server: Server = createServer((incoming, response) => void this.take(incoming, response))
  private next: { readonly step: Step; readonly handle: (call: Call) => void } | null = null

  async listen(): Promise<string> {
    await new Promise<void>(resolve => this.server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }

  async close(): Promise<void> {
    this.server.closeAllConnections()
    await new Promise(resolve => this.server.close(resolve))
  }

  /** Holds back the next call of a kind, and every sending of it: dispute-svc may take escrow for a replica that hangs. */
  holdNext(step: Step): HeldCall {
    const sendings: Call[] = []
    const made = new Promise<void>(resolve => {
      this.next = {
        step,
        handle: call => {
          sendings.push(call)
          this.held.add(sendings)
          resolve()
        },
      }
    })
    let forwarded: ReturnType<EscrowLine['forward']> | undefined
    const forwardOnce = () => {
      if (!sendings[0]) throw new Error(`no ${step} was made`)
      forwarded ??= this.forward(sendings[0])
      return forwarded
    }
    return {
      made,
      lose: () => {
        this.held.delete(sendings)
        for (const { incoming } of sendings) incoming.socket.destroy()
      },
      deliver: async () => {
        const { status, body } = await forwardOnce()
        return { status, body: JSON.parse(body.toString()) }
      },
      answer: async () => {
        const { status, body } = await forwardOnce()
        this.held.delete(sendings)
        for (const { response } of sendings)
          response.writeHead(status, { 'content-type': 'application/json' }).end(body)
      },
    }
  }

  /** Delivers the next call of a kind, and breaks the connection in place of its answer. */
  loseNextAnswer(step: Step): void {
    this.next = { step, handle: call => void this.forward(call).finally(() => call.incoming.socket.destroy()) }
  }

  /** Delivers the calls that were kept back as late, the latest first. Escrow may refuse them. */
  async deliverLate(count = this.late.length): Promise<void> {
    for (const call of this.late.splice(-count).reverse()) await this.forward(call)
  }

  private async take(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const call = { incoming, body: Buffer.concat(chunks), response }
    for (const sendings of this.held) if (isSameCall(sendings[0]!, call)) return void sendings.push(call)
    const { next } = this
    if (next && incoming.url?.endsWith(`/${next.step}`)) {
      this.next = null
      return next.handle(call)
    }
    const fault = this.nextFault()
    if (fault === 'late') {
      this.late.push(call)
      return void incoming.socket.destroy()
    }
    try {
      const { status, body } = await this.forward(call)
      if (fault === 'lostAnswer') return void incoming.socket.destroy()
      if (fault === 'lateAnswer') await sleep(ANSWER_PAUSE_MS)
      response.writeHead(status, { 'content-type': 'application/json' }).end(body)
    } catch {
      // Escrow is stopped, or was killed before it answered: its caller finds the connection broken.
      incoming.socket.destroy()
    }
  }

  private forward({ incoming, body }: Call): Promise<{ status: number; body: Buffer }> {
    const { method, url, headers } = incoming
    return new Promise((resolve, reject) => {
      const port = this.targets[this.turn++ % this.targets.length]
      if (port === undefined) return reject(new Error('escrow is stopped'))
      const outgoing = request({ host: '127.0.0.1', port, method, path: url, headers }, async answer => {
        try {
          const chunks: Buffer[] = []
          for await (const chunk of answer) chunks.push(chunk as Buffer)
          resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(chunks) })
        } catch (error) {
          reject(error)
        }
      })
      outgoing.on('error', reject).end(body)
    })
  }
}
