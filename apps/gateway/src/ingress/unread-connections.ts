import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { Injectable, type OnApplicationShutdown } from '@nestjs/common'

/** How long a client may read nothing of what waits for it, before its connection is closed. */
export const MAX_UNREAD_MS = 60_000
const LOOK_EVERY_MS = 5_000

/** What the system has taken of a connection's answers, and since when it has taken nothing more. */
interface Sent {
  bytes: number
  sinceMs: number
}

/**
 * Closes the connections whose clients do not read their answers. Node has no time limit for that: such a connection and its
 * answer would stay in memory for as long as the client wants. A connection on which nothing waits is kept, such as an event
 * stream between two events.
 */
@Injectable()
export class UnreadConnections implements OnApplicationShutdown {
  readonly #open = new Map<Socket, Sent>()
  #looking: NodeJS.Timeout | undefined

  watch(server: Server): void {
    server.on('connection', (socket: Socket) => {
      this.#open.set(socket, { bytes: 0, sinceMs: performance.now() })
      socket.once('close', () => this.#open.delete(socket))
    })
    this.#looking = setInterval(() => this.look(performance.now()), LOOK_EVERY_MS).unref()
  }

  onApplicationShutdown(): void {
    clearInterval(this.#looking)
  }

  /** Runs every five seconds. The bytes that a client sends count for nothing: else it could keep its connection with them. */
  look(nowMs: number): void {
    for (const [socket, sent] of this.#open) {
      const bytes = socket.bytesWritten - socket.writableLength
      if (socket.writableLength === 0 || bytes !== sent.bytes) Object.assign(sent, { bytes, sinceMs: nowMs })
      // The reset also frees what the system holds for the client.
      else if (nowMs - sent.sinceMs >= MAX_UNREAD_MS) socket.resetAndDestroy()
    }
  }
}
