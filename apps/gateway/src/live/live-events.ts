import { setTimeout as sleep } from 'node:timers/promises'
import { type EventEnvelope, userSessionsEnded } from '@holdfast/contracts/events'
import { EVENT_TRANSPORT, type EventTransport } from '@holdfast/events/transport'
import type { UserActor } from '@holdfast/service-kit/auth/actor'
import { Drain } from '@holdfast/service-kit/lifecycle/drain'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import { gauge } from '@holdfast/service-kit/telemetry/metrics'
import { continueTrace, type Span, SpanKind, withSpan } from '@holdfast/service-kit/telemetry/telemetry'
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { People } from '../people/people.js'
import { Sessions } from '../sessions/sessions.js'
import { eventText, LIVE_TOPICS, liveMessagesOf, RESET } from './live-message.js'
import { LiveStream } from './live-stream.js'
import { LiveStreams } from './live-streams.js'
import { RecentMessages } from './recent-messages.js'

/** Proxies and phones drop a connection on which nothing is sent. */
export const HEARTBEAT_MS = 15_000
/** A stream ends with the event of its session's end. An expired session has none: the repeated check finds it. */
export const SESSION_RECHECK_MS = 30_000
/** How long a stream goes on while identity-svc cannot be reached. */
export const MAX_UNCHECKED_MS = 120_000
/** A browser that has missed more messages loads everything again. All of them are written at once, and must stay below `MAX_UNREAD_BYTES`. */
const MAX_MISSED_MESSAGES = 100
const TICK_MS = 1_000
const CONNECT_AGAIN_MS = 1_000

const log = loggerOf('live')

const spanOf = ({ type, topic, id, traceparent }: EventEnvelope): Span | null =>
  continueTrace(traceparent, `show ${type}`, {
    kind: SpanKind.CONSUMER,
    attributes: { 'messaging.destination.name': topic, 'messaging.message.id': id },
  })

/** Sends an event to the browsers of a deal's parties when something about the deal has changed. */
@Injectable()
export class LiveEvents implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly streams = new LiveStreams()
  private readonly recent = new RecentMessages()
  private readonly ticker: NodeJS.Timeout
  private lastHeartbeatMs = performance.now()
  /** Whether the last session check got an answer, so that an outage is logged once and not once per stream. */
  private canCheck = true

  constructor(
    @Inject(EVENT_TRANSPORT) private readonly transport: EventTransport,
    private readonly sessions: Sessions,
    private readonly people: People,
    private readonly drain: Drain,
  ) {
    this.ticker = setInterval(() => this.tick(performance.now()), TICK_MS)
    this.ticker.unref()
    // A stream never ends by itself, so without this a deploy would wait for it.
    drain.signal.addEventListener('abort', () => this.endAll())
    gauge('gateway_live_streams', 'Open streams of live events', [], metric => metric.set(this.streams.size))
  }

  onApplicationBootstrap(): void {
    void this.listen()
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.ticker)
    await this.transport.stop()
  }

  /**
   * Answers a request with a stream of the user's events.
   *
   * @param user the user of the request's session
   * @throws DomainError RATE_LIMITED when the user, UNAVAILABLE when this process has too many streams already
   */
  open(request: FastifyRequest, reply: FastifyReply, user: UserActor): void {
    const sessionHash = this.sessions.hashOf(request) ?? ''
    const stream = new LiveStream(reply.raw, user, sessionHash, performance.now())
    // The connection may have closed while its session was looked up; then there is no further `close` event.
    if (!stream.isOpen) return void reply.hijack()
    this.streams.add(stream)
    stream.onClose(() => this.streams.remove(stream))
    reply.hijack()
    stream.begin({ ...reply.getHeaders(), 'x-request-id': request.id })
    const lastId = request.headers['last-event-id']
    this.resume(stream, typeof lastId === 'string' ? lastId : '')
    if (this.drain.draining) stream.end()
  }

  /** Handles an event of the log: sends it to the streams of the users it concerns. */
  handle(event: EventEnvelope): void {
    if (event.type === userSessionsEnded.type) this.endSessions(event)
    else if (event.topic === 'identity.user') this.people.forget(event.key)
    for (const message of liveMessagesOf(event)) {
      if (!this.recent.add(message, performance.now())) continue
      for (const userId of new Set(message.recipients)) {
        for (const stream of this.streams.of(userId)) stream.write(message.text)
      }
    }
  }

  /** Runs once a second: sends heartbeats, and checks the sessions of streams when they are due. */
  tick(nowMs: number): void {
    if (nowMs - this.lastHeartbeatMs >= HEARTBEAT_MS) {
      this.lastHeartbeatMs = nowMs
      for (const stream of this.streams.all()) stream.write(': still here\n\n')
    }
    for (const stream of this.streams.all()) {
      if (nowMs - stream.checkedAtMs >= SESSION_RECHECK_MS) void this.recheck(stream, nowMs)
    }
  }

  /** Forgets sessions that have ended, and ends their streams. */
  private endSessions({ key, payload }: EventEnvelope): void {
    const ended = userSessionsEnded.payload.safeParse(payload)
    if (!ended.success) {
      log.error(
        { err: ended.error },
        'an event of ended sessions could not be read; they and their streams end at the next check',
      )
      return
    }
    const sessionIds = new Set(ended.data.sessionIds)
    this.sessions.forgetEnded(sessionIds)
    for (const stream of this.streams.of(key)) if (sessionIds.has(stream.user.sessionId ?? '')) stream.end()
  }

  private async recheck(stream: LiveStream, nowMs: number): Promise<void> {
    const lastKnownMs = stream.checkedAtMs
    stream.checkedAtMs = nowMs
    try {
      const user = await this.sessions.find(stream.sessionHash)
      if (user?.id !== stream.user.id) stream.end()
      this.canCheck = true
    } catch (error) {
      // The session may still exist, so the stream goes on for a while and the next tick checks again.
      if (nowMs - lastKnownMs > MAX_UNCHECKED_MS) stream.end()
      else stream.checkedAtMs = lastKnownMs
      if (this.canCheck) log.warn({ err: error }, 'the sessions of live streams cannot be checked')
      this.canCheck = false
    }
  }

  private resume(stream: LiveStream, lastId: string): void {
    const { newestId } = this.recent
    const { id } = stream.user
    const missed = lastId === '' ? this.recent.beforeArrival(performance.now(), id) : this.recent.since(lastId, id)
    if (missed === null || missed.length > MAX_MISSED_MESSAGES) stream.write(eventText(newestId, RESET))
    else if (missed.length > 0) for (const message of missed) stream.write(message.text)
    // A browser that has not received an event yet resumes from this id.
    else stream.write(`id: ${newestId}\n\n`)
  }

  /** Subscribes to the log and retries until it succeeds. Meanwhile the gateway serves all other routes. */
  private async listen(): Promise<void> {
    const topics = [...LIVE_TOPICS, 'identity.user'] as const
    await this.transport.start()
    while (!this.drain.draining) {
      try {
        await this.transport.tail({ topics, handler: event => withSpan(spanOf(event), async () => this.handle(event)) })
        // Streams that are already open may have missed events.
        for (const stream of this.streams.all()) stream.write(eventText(this.recent.newestId, RESET))
        return
      } catch (error) {
        log.warn({ err: error }, 'the event log cannot be read yet; trying again')
        await sleep(CONNECT_AGAIN_MS)
      }
    }
  }

  private endAll(): void {
    for (const stream of this.streams.all()) stream.end()
  }
}
