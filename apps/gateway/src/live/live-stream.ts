import type { ServerResponse } from 'node:http'
import type { UserActor } from '@holdfast/service-kit/auth/actor'

/** A browser with this much unread data is disconnected, because it does not read. It resumes when it reconnects. */
export const MAX_UNREAD_BYTES = 64 * 1024
/** How long a browser waits before it reconnects. */
const RECONNECT_AFTER_MS = 2_000

/** The stream of live events to one browser. */
export class LiveStream {
  constructor(
    private readonly response: ServerResponse,
    readonly user: UserActor,
    /** The hash of its session's token, for the repeated checks. */
    readonly sessionHash: string,
    /** When its session was last known to exist. */
    public checkedAtMs: number,
  ) {}

  get isOpen(): boolean {
    return !this.response.writableEnded && !this.response.destroyed
  }

  begin(headers: Record<string, number | string | string[] | undefined>): void {
    const own = {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      // nginx would otherwise keep events back until its buffer is full.
      'x-accel-buffering': 'no',
    }
    this.response.writeHead(200, { ...headers, ...own })
    this.write(`retry: ${RECONNECT_AFTER_MS}\n\n`)
  }

  /** Writes whole events or comments. */
  write(text: string): void {
    if (!this.isOpen) return
    this.response.write(text)
    if (this.response.writableLength > MAX_UNREAD_BYTES) this.response.destroy()
  }

  end(): void {
    this.response.end()
  }

  onClose(listener: () => void): void {
    this.response.once('close', listener)
  }
}
