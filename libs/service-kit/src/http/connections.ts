import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate as afterReading, setTimeout as sleep } from 'node:timers/promises'

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
  /** How many bytes it had received at the last look. */
  bytes: number
  /** How many looks in a row have found no new byte. */
  quietLooks: number
}

/**
 * The open connections of a server, so that it can close without losing a request. Node itself would end idle keep-alive
 * connections at once, although a request may be on its way.
 */
export class Connections {
  readonly #known = new Map<Socket, Known>()
  #opened = 0

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      this.#opened++
      this.#known.set(socket, { openedAt: performance.now(), bytes: 0, quietLooks: 0 })
      socket.once('close', () => this.#known.delete(socket))
    })
  }

  /** Waits until the process has accepted the connections in the system's queue, at most `MAX_ARRIVAL_MS`. */
  async arrived(): Promise<void> {
    const begun = performance.now()
    for (let quietLooks = 0; quietLooks * LOOK_EVERY_MS < ARRIVAL_GAP_MS; ) {
      const before = this.#opened
      await nextLook()
      quietLooks = this.#opened === before ? quietLooks + 1 : 0
      if (performance.now() - begun >= MAX_ARRIVAL_MS) return
    }
  }

  /**
   * Waits until every connection that is open now has ended or was idle for `QUIET_MS`, at most `MAX_UNQUIET_MS`. Answers
   * meanwhile must close their connections.
   */
  async quiet(): Promise<void> {
    const begun = performance.now()
    const open = [...this.#known]
    while (performance.now() - begun < MAX_UNQUIET_MS) {
      for (const [socket, known] of open) look(socket, known)
      if (open.every(([socket, { quietLooks }]) => socket.destroyed || quietLooks * LOOK_EVERY_MS >= QUIET_MS)) return
      await nextLook()
    }
  }

  /**
   * From now on, ends connections that have never received anything. Browsers open connections in advance, and Node counts
   * them as busy: a server that closes would wait a minute for them.
   *
   * @returns a function that stops this
   */
  endSilent(): () => void {
    const destroySilent = () => {
      const longAgo = performance.now() - SILENCE_MS
      for (const [socket, { openedAt }] of this.#known) {
        if (socket.bytesRead === 0 && openedAt < longAgo) socket.destroy()
      }
    }
    const looking = setInterval(() => setImmediate(destroySilent), LOOK_EVERY_MS)
    return () => clearInterval(looking)
  }
}

/**
 * Waits until the next look, which comes after the event loop has read what had arrived. While the processor is busy with other
 * work, nothing is read, and a connection only seems to be idle. For the same reason looks are counted, and not the time.
 */
async function nextLook(): Promise<void> {
  await sleep(LOOK_EVERY_MS)
  await afterReading()
}

function look(socket: Socket, known: Known): void {
  known.quietLooks = socket.bytesRead === known.bytes ? known.quietLooks + 1 : 0
  known.bytes = socket.bytesRead
}
