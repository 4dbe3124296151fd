import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** A connection of which nothing was heard for so long is not about to be used. */
export const QUIET_MS = 500
/** Connections that are never quiet are waited for so long. */
export const MAX_UNQUIET_MS = 3_000
const LOOK_EVERY_MS = 50
/** The system holds connections that the process has not taken yet; it has them all when none came for so long. */
const ARRIVAL_GAP_MS = 100
/** Where they never stop arriving, so long is enough. */
export const MAX_ARRIVAL_MS = 1_000
/** Whoever has just connected is about to say something; so long they may take. */
const SILENCE_MS = 1_000

interface Known {
  readonly openedAt: number
  heardAt: number
  bytes: number
}

/**
 * The open connections of a server, so that it can close without breaking a request: Node ends connections that are
 * kept alive the moment a server closes, even as the next request travels towards it.
 */
export class Connections {
  readonly #known = new Map<Socket, Known>()
  #lastOpenedAt = 0

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      const now = performance.now()
      this.#lastOpenedAt = now
      this.#known.set(socket, { openedAt: now, heardAt: now, bytes: 0 })
      socket.once('close', () => this.#known.delete(socket))
    })
  }

  /** Waits until the process has taken the connections that the system accepted for it, at most `MAX_ARRIVAL_MS`. */
  async arrived(): Promise<void> {
    const begun = performance.now()
    for (;;) {
      await sleep(LOOK_EVERY_MS)
      const now = performance.now()
      if (now - this.#lastOpenedAt >= ARRIVAL_GAP_MS || now - begun >= MAX_ARRIVAL_MS) return
    }
  }

  /**
   * Waits until every connection that is open now has ended or was quiet for `QUIET_MS`, at most `MAX_UNQUIET_MS`. The
   * answers meanwhile must end theirs.
   */
  async quiet(): Promise<void> {
    const begun = performance.now()
    const open = [...this.#known]
    for (const [socket, known] of open) {
      known.bytes = socket.bytesRead
      known.heardAt = begun
    }
    for (;;) {
      await sleep(LOOK_EVERY_MS)
      const now = performance.now()
      if (now - begun >= MAX_UNQUIET_MS) return
      if (open.every(([socket, known]) => socket.destroyed || isQuiet(socket, known, now))) return
    }
  }

  /**
   * Ends, from now on, connections on which nothing has ever arrived. Browsers open such in advance; Node counts them
   * as busy until they time out, and a server that closes would wait a minute for them.
   *
   * @returns how to stop
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
    known.heardAt = now
  }
  return now - known.heardAt >= QUIET_MS
}
