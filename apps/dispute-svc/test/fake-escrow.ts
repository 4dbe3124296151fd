import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CURRENT_FEE_SCHEDULE } from '@holdfast/kernel/fees'
import { ACTOR_HEADER, verifyActor } from '@holdfast/service-kit/auth/actor'
import { parseActorKeys } from '@holdfast/service-kit/auth/actor-keys'
import { testActorKeys, userActor } from '@holdfast/testing/signed-client'

/** The keys with which dispute-svc signs its calls to escrow-svc. */
export const ESCROW_KEYS = testActorKeys('escrow-svc', 'dispute-svc')
/** The version of each deal, whatever happens to it. */
export const DEAL_VERSION = 7
let deals = 0

/** A new deal with two parties. */
export const aDeal = () => ({ id: ++deals, buyer: userActor(), seller: userActor() })
export type Deal = ReturnType<typeof aDeal>

/** A call that escrow received. */
interface ReceivedCall {
  readonly path: string
  readonly body: { readonly disputeId: number; readonly reporterId?: string }
}

/** An answer of the fake escrow; null breaks the connection. */
type FakeAnswer = { readonly status: number; readonly body: object } | null

/** A call whose answer is kept back. */
interface StalledCall {
  readonly received: Promise<ReceivedCall>
  /** Refuses it. */
  answer(status: number, code: string): void
  /** Answers that the deal is frozen. */
  freeze(deal: Deal): void
}

/** Replaces escrow-svc in tests, with real HTTP and real signatures. */
export class FakeEscrow {
  /** The calls that change something, about all deals. */
  private readonly received: ReceivedCall[] = []
  /** The answer to a call; null breaks the connection after the call was read. */
  answer: (received: ReceivedCall, requestId?: string) => FakeAnswer | Promise<FakeAnswer> = () => null
  /** The answers that are kept back, by request: a call that is sent again because the replica seems to hang is the same call. */
  private readonly stalled = new Map<string | undefined, Promise<FakeAnswer>>()
  private readonly server: Server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const [method, path] = [request.method!, request.url!]
    const keys = parseActorKeys(ESCROW_KEYS)
    if (typeof keys === 'string') throw new Error(keys)
    const signature = String(request.headers[ACTOR_HEADER])
    const caller = verifyActor(signature, { keys, callee: 'escrow-svc', method, path, now: new Date() })
    const received: ReceivedCall = { path, body: JSON.parse(Buffer.concat(chunks).toString() || '{}') }
    if (method !== 'GET') this.received.push(received)
    const requestId = request.headers['x-request-id']?.toString()
    const own = () => (requestId && this.stalled.get(requestId)) || this.answer(received, requestId)
    const answer = caller ? await own() : { status: 403, body: {} }
    if (!answer) return request.socket.destroy()
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body))
  })

  /** The calls that would change this deal, the first one first. A timer may repeat calls about the deals of earlier tests meanwhile. */
  receivedAbout({ id }: Pick<Deal, 'id'>): ReceivedCall[] {
    return this.received.filter(({ path }) => path.startsWith(`/internal/transactions/${id}/`))
  }

  /**
   * Freezes and resumes one shipped deal as escrow does, in escrow's own words. `with-escrow.integration.spec.ts` runs the
   * same with escrow-svc itself.
   */
  agree({ id, buyer, seller }: Deal): void {
    let frozenFor: number | null = null
    const ended = new Set<number>()
    const freeze = ({ disputeId, reporterId }: ReceivedCall['body']) => {
      if (reporterId !== buyer.id && reporterId !== seller.id) return refusal(404, 'TRANSACTION_NOT_FOUND')
      if (frozenFor !== null && frozenFor !== disputeId) return refusal(409, 'ESCROW_WRONG_STATE')
      if (ended.has(disputeId)) return refusal(409, 'DISPUTE_ENDED')
      frozenFor = disputeId
      return frozen({ id, buyer, seller })
    }
    const resume = ({ disputeId }: ReceivedCall['body']) => {
      if (frozenFor !== null && frozenFor !== disputeId && !ended.has(disputeId))
        return refusal(409, 'CONFLICT', { disputeId: frozenFor })
      if (frozenFor === disputeId) frozenFor = null
      ended.add(disputeId)
      return { status: 200, body: { id, status: frozenFor === null ? 'shipped' : 'disputed' } }
    }
    this.answer = ({ path, body }) => {
      if (path.endsWith('/settlement-terms')) return terms
      return path.endsWith('/freeze') ? freeze(body) : resume(body)
    }
  }

  refuse(status: number, code: string): void {
    this.answer = () => refusal(status, code)
  }

  /** Keeps back the answer to a call about this deal. Calls about other deals, which timers may repeat meanwhile, get none. */
  stall({ id }: Deal): StalledCall {
    let answer: (answer: FakeAnswer) => void = () => undefined
    const received = new Promise<ReceivedCall>(resolve => {
      this.answer = (call, requestId) => {
        if (!call.path.includes(`/${id}/`)) return null
        resolve(call)
        const later = new Promise<FakeAnswer>(answered => {
          answer = answered
        })
        this.stalled.set(requestId, later)
        return later
      }
    })
    return {
      received,
      answer: (status, code) => answer(refusal(status, code)),
      freeze: deal => answer(frozen(deal)),
    }
  }

  async start(): Promise<string> {
    await new Promise<void>(resolve => this.server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections()
    await new Promise(resolve => this.server.close(resolve))
  }
}

/** What a deal holds. The version is always the same. */
const terms = {
  status: 200,
  body: {
    ...{ currency: 'USD', held: '100.00', refunded: '0.00', chargedBack: '0.00', buyerFee: '0.00' },
    ...{ feeSchedule: CURRENT_FEE_SCHEDULE, sellerPlan: 'standard', status: 'disputed' },
    ...{ waitsForBank: false, partIsGone: false, parcelMoved: true, needsSecondAdmin: false, version: DEAL_VERSION },
  },
}

const frozen = ({ id, buyer, seller }: Deal) => ({
  status: 200,
  body: {
    id,
    buyerId: buyer.id,
    sellerId: seller.id,
    status: 'disputed',
    title: 'Camera',
    amount: '100.00',
    currency: 'USD',
  },
})

const refusal = (status: number, code: string, details: object | null = null) => ({
  status,
  body: { code, message: 'no', details },
})
