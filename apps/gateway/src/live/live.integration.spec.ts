import { setTimeout as sleep } from 'node:timers/promises'
import type { EventEnvelope } from '@holdfast/contracts/events'
import { newId } from '@holdfast/kernel/ids'
import type { UserActor } from '@holdfast/service-kit/auth/actor'
import { Listener } from '../../test/listener.js'
import { RunningGateway } from '../../test/running-gateway.js'
import { HEARTBEAT_MS, LiveEvents, MAX_UNCHECKED_MS, SESSION_RECHECK_MS } from './live-events.js'
import { MAX_STREAMS_PER_USER } from './live-streams.js'

describe('live events', () => {
  const gateway = new RunningGateway()
  const { services, transport } = gateway
  const open: Listener[] = []

  beforeAll(() => gateway.start())
  afterAll(() => gateway.stop())
  afterEach(() => Promise.all(open.splice(0).map(listener => listener.leave())))

  async function listen(token: string, lastId?: string): Promise<Listener> {
    const listener = new Listener()
    open.push(listener)
    await listener.open(`${gateway.origin}/api/events`, token, lastId)
    return listener
  }

  it('reach only the two parties of a deal', async () => {
    const [ana, ben, eve] = [services.signIn(), services.signIn(), services.signIn()]
    const streams = await Promise.all([ana, ben, eve].map(({ token }) => listen(token)))
    const event = paid(ana.user.id, ben.user.id)
    transport.emit(event)
    for (const stream of streams.slice(0, 2)) {
      await stream.until(text => text.includes(event.id))
      expect(stream.events()).toEqual([
        { id: event.id, data: { kind: 'transaction', transactionId: 7, type: 'escrow.transaction.paid.v1' } },
      ])
    }
    // A later event comes after all that the third was sent before.
    const hers = paid(eve.user.id, newId())
    transport.emit(hers)
    await streams[2]!.until(text => text.includes(hers.id))
    expect(streams[2]!.events().map(({ id }) => id)).toEqual([hers.id])
  })

  it('about a payout reach only its seller', async () => {
    const [ana, ben] = [services.signIn(), services.signIn()]
    const [anas, bens] = await Promise.all([ana, ben].map(({ token }) => listen(token)))
    const event: EventEnvelope = {
      ...{ id: newId(), type: 'escrow.payout.paid.v1', topic: 'escrow.payout', key: newId() },
      ...{ payload: { sellerId: ana.user.id, amount: '98.50' }, occurredAt: new Date().toISOString() },
    }
    transport.emit(event)
    await anas!.until(text => text.includes(event.id))
    expect(anas!.events()).toEqual([{ id: event.id, data: { kind: 'payout', type: 'escrow.payout.paid.v1' } }])
    const his = paid(ben.user.id, newId())
    transport.emit(his)
    await bens!.until(text => text.includes(his.id))
    expect(bens!.events().map(({ id }) => id)).toEqual([his.id])
  })

  it('about several deals reach the parties of each deal with its id, and a browser can resume after any of them', async () => {
    const [ana, ben] = [services.signIn(), services.signIn()]
    const [anas, bens] = await Promise.all([ana, ben].map(({ token }) => listen(token)))
    const event = announced({ 7: [ana.user.id, newId()], 8: [newId(), ben.user.id] })
    transport.emit(event)
    const messageTo = (id: string, transactionId: number) => ({
      id,
      data: { kind: 'message', transactionId, type: 'messaging.message.announced.v1' },
    })
    await anas!.until(text => text.includes(event.id))
    await bens!.until(text => text.includes(event.id))
    expect(anas!.events()).toEqual([messageTo(event.id, 7)])
    expect(bens!.events()).toEqual([messageTo(`${event.id}.1`, 8)])

    await bens!.leave()
    const missed = paid(newId(), ben.user.id)
    transport.emit(missed)
    const again = await listen(ben.token, `${event.id}.1`)
    await again.until(text => text.includes(missed.id))
    expect(again.events().map(({ data }) => data.kind)).toEqual(['transaction'])
  })

  it('are a stream with headers that keep proxies from buffering it', async () => {
    const stream = await listen(services.signIn().token)
    expect(stream.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(stream.headers.get('cache-control')).toBe('no-cache, no-transform')
    expect(stream.headers.get('x-accel-buffering')).toBe('no')
    expect(stream.headers.get('x-content-type-options')).toBe('nosniff')
    expect(stream.headers.get('x-request-id')).not.toBeNull()
  })

  it('continue after the last one that a browser got', async () => {
    const { token, user } = services.signIn()
    const first = await listen(token)
    const [seen, missed] = [paid(user.id, newId()), paid(newId(), user.id)]
    transport.emit(seen)
    await first.until(text => text.includes(seen.id))
    await first.leave()
    transport.emit(missed)
    const second = await listen(token, seen.id)
    await second.until(text => text.includes(missed.id))
    expect(second.events().map(event => event.id)).toContain(missed.id)
    expect(second.events().map(event => event.data.kind)).not.toContain('reset')
  })

  it('give a browser that got none an id to resume from', async () => {
    const { token, user } = services.signIn()
    transport.emit(paid(newId(), newId()))
    const first = await listen(token)
    await first.until(text => /^id: .+$/m.test(text))
    const id = /^id: (.+)$/m.exec(first.text)![1]!
    await first.leave()
    const missed = paid(user.id, newId())
    transport.emit(missed)
    const second = await listen(token, id)
    await second.until(text => text.includes(missed.id))
  })

  it('include events from the time in which the page was loading', async () => {
    const { token, user } = services.signIn()
    const event = paid(user.id, newId())
    transport.emit(event)
    const stream = await listen(token)
    await stream.until(text => text.includes(event.id))
    expect(stream.events().map(({ id }) => id)).toEqual([event.id])
  })

  it('begin with a reset when the browser’s last event is no longer kept', async () => {
    const stream = await listen(services.signIn().token, newId())
    await stream.until(text => text.includes('reset'))
    expect(stream.events().map(event => event.data)).toEqual([{ kind: 'reset', type: 'reset' }])
  })

  it('begin with a reset when the browser has missed so many that they would end its stream as unread', async () => {
    const { token, user } = services.signIn()
    const first = await listen(token)
    const seen = paid(user.id, newId())
    transport.emit(seen)
    await first.until(text => text.includes(seen.id))
    await first.leave()
    for (let n = 0; n < 1_000; n++) transport.emit(paid(user.id, newId()))
    const second = await listen(token, seen.id)
    await second.until(text => text.includes('reset'))
    expect(second.events().map(({ data }) => data.kind)).toEqual(['reset'])
  })

  it('need a session, and refuse HEAD', async () => {
    expect(await gateway.codeOf('GET', '/api/events')).toEqual([401, 'UNAUTHENTICATED'])
    expect((await gateway.ask('HEAD', '/api/events', { token: services.signIn().token })).status).toBe(405)
  })

  it('end at once when their session is ended, and go on in the user’s other sessions', async () => {
    const user = { id: newId() }
    const [stays, goes] = [services.signIn(user), services.signIn(user)]
    const streams = await Promise.all([listen(stays.token), listen(goes.token)])
    transport.emit(sessionEnded(goes.user))
    await streams[1]!.untilEnd()
    expect(streams.map(stream => stream.ended)).toEqual([false, true])
  })

  it('of an ended session make the gateway forget it, so that it can read nothing either', async () => {
    const { token, user } = services.signIn()
    const read = () => gateway.codeOf('GET', '/api/transactions/7/timeline', { token })
    expect(await read()).toEqual([200, null])
    services.revoke(token)
    expect(await read()).toEqual([200, null])
    transport.emit(sessionEnded(user))
    expect(await read()).toEqual([401, 'UNAUTHENTICATED'])
  })

  it('end when the session has ended, and go on while sessions cannot be checked', async () => {
    const live = gateway.running.app.get(LiveEvents)
    const [stays, goes] = [services.signIn(), services.signIn()]
    const streams = await Promise.all([listen(stays.token), listen(goes.token)])
    const bringBack = await services.kill('identity-svc')
    live.tick(performance.now() + SESSION_RECHECK_MS)
    await sleep(300)
    expect(streams.map(stream => stream.ended)).toEqual([false, false])
    await bringBack()
    services.revoke(goes.token)
    live.tick(performance.now() + SESSION_RECHECK_MS)
    await streams[1]!.untilEnd()
    expect(streams.map(stream => stream.ended)).toEqual([false, true])
  })

  it('end when their session could not be checked for too long', async () => {
    const stream = await listen(services.signIn().token)
    const bringBack = await services.kill('identity-svc')
    gateway.running.app.get(LiveEvents).tick(performance.now() + MAX_UNCHECKED_MS + 1)
    await stream.untilEnd()
    await bringBack()
  })

  it('begin anew when the event log can be read only after they were opened', async () => {
    const late = new RunningGateway()
    const tail = late.transport.tail.bind(late.transport)
    let isAway = true
    late.transport.tail = async options => {
      if (isAway) throw new Error('the log is away')
      return tail(options)
    }
    await late.start()
    const listener = new Listener()
    await listener.open(`${late.origin}/api/events`, late.services.signIn().token)
    isAway = false
    await listener.until(text => text.includes('reset'))
    // With an empty id, the browser would forget the one that it has.
    expect(listener.events()[0]?.id).not.toBe('')
    await listener.leave()
    await late.stop()
  })

  it('of a gateway that no event has reached yet give a browser an id, too, from which it begins anew', async () => {
    const fresh = new RunningGateway()
    await fresh.start()
    const { token } = fresh.services.signIn()
    const [first, second] = [new Listener(), new Listener()]
    await first.open(`${fresh.origin}/api/events`, token)
    await first.until(text => /^id: .*\n/m.test(text))
    const id = /^id: (.*)\n/m.exec(first.text)![1]!
    await first.leave()
    expect(id).not.toBe('')
    await second.open(`${fresh.origin}/api/events`, token, id)
    await second.until(text => text.includes('reset'))
    await second.leave()
    await fresh.stop()
  })

  it('include heartbeats', async () => {
    const stream = await listen(services.signIn().token)
    gateway.running.app.get(LiveEvents).tick(performance.now() + 10 * HEARTBEAT_MS)
    await stream.until(text => text.includes(': still here'))
  })

  it('are bounded in number for each user', async () => {
    const { token } = services.signIn()
    for (let i = 0; i < MAX_STREAMS_PER_USER; i++) await listen(token)
    const refused = await gateway.ask('GET', '/api/events', { token })
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '30'])
    await open.pop()!.leave()
    await sleep(50)
    await listen(token)
  })
})

/** The event about the system's messages in several chats. @param deals the parties of each deal, by its id */
function announced(deals: Record<number, readonly [buyerId: string, sellerId: string]>): EventEnvelope {
  const transactions = Object.entries(deals).map(([transactionId, [buyerId, sellerId]]) => ({
    transactionId: Number(transactionId),
    buyerId,
    sellerId,
  }))
  const at = new Date().toISOString()
  const type = 'messaging.message.announced.v1'
  return { id: newId(), type, topic: 'messaging.message', key: '7', payload: { transactions }, occurredAt: at }
}

function sessionEnded({ id: key, sessionId }: UserActor): EventEnvelope {
  const at = new Date().toISOString()
  const payload = { sessionIds: [sessionId] }
  return { id: newId(), type: 'identity.user.sessions_ended.v1', topic: 'identity.user', key, payload, occurredAt: at }
}

function paid(buyerId: string, sellerId: string): EventEnvelope {
  const id = newId()
  const payload = { transactionId: 7, buyerId, sellerId, title: 'not for browsers', total: '1.00' }
  const at = new Date().toISOString()
  return { id, type: 'escrow.transaction.paid.v1', topic: 'escrow.transaction', key: '7', payload, occurredAt: at }
}
