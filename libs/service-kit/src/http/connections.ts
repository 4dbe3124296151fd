import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** A connection that has received nothing for this long counts as idle. */
const QUIET_MS = 500
/** The longest wait for connections that do not become idle. */
const MAX_UNQUIET_MS = 3_000
const LOOK_EVERY_MS = 50
/** When no connection has arrived for this long, the system's queue is empty. */
const ARRIVAL_GAP_MS = 100
/** The longest wait for that, also when connections keep arriving. */
const MAX_ARRIVAL_MS = 1_000
/** The time in which a new connection must send its first byte. */
const SILENCE_MS = 1_000

interface Known {
  readonly openedAt: number
  lastByteAt: number
  bytes: number
}

/**
 * The open connections of a server, so that it can close without losing a request. Node itself would end idle keep-alive
 * connections at once, although a request may be on its way.
 */
export class Connections {
  readonly #known = new Map<Socket, Known>()
  #lastOpenedAt = 0

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      const now = performance.now()
      this.#lastOpenedAt = now
      this.#known.set(socket, { openedAt: now, lastByteAt: now, bytes: 0 })
      socket.once('close', () => this.#known.delete(socket))
    })
  }

  /** Waits until the process has accepted the connections in the system's queue, at most `MAX_ARRIVAL_MS`. */
  async arrived(): Promise<void> {
    const begun = performance.now()
    for (;;) {
      await sleep(LOOK_EVERY_MS)
      const now = performance.now()
      if (now - this.#lastOpenedAt >= ARRIVAL_GAP_MS || now - begun >= MAX_ARRIVAL_MS) return
    }
  }

  /**
   * Waits until every connection that is open now has ended or was idle for `QUIET_MS`, at most `MAX_UNQUIET_MS`. Answers
   * meanwhile must close their connections.
   */
  async quiet(): Promise<void> {
    const begun = performance.now()
    const open = [...this.#known]
    for (const [socket, known] of open) {
      known.bytes = socket.bytesRead
      known.lastByteAt = begun
    }
    for (;;) {
      await sleep(LOOK_EVERY_MS)
      const now = performance.now()
      if (now - begun >= MAX_UNQUIET_MS) return
      if (open.every(([socket, known]) => socket.destroyed || isQuiet(socket, known, now))) return
    }
  }

  /**
   * From now on, ends connections that have never received anything. Browsers open connections in advance, and Node counts
   * them as busy: a server that closes would wait a minute for them.
   *
   * @returns a function that stops this
   */
  endSilent(): () => void {
    const looking = setInterval(() => {
      const longAgo = performance.now() - SILENCE_MS
      for (const [socket, { openedAt }] of this.#known) {
        if (socket.bytesRead === 0 && openedAt < longAgo) socket.destroy()
      }
    }, LOOK_EVERY_MS)
    return () => clearInterval(looking)
  }
}

function isQuiet(socket: Socket, known: Known, now: number): boolean {
  if (socket.bytesRead !== known.bytes) {
    known.bytes = socket.bytesRead
    known.lastByteAt = now
  }
  return now - known.lastByteAt >= QUIET_MS
}
