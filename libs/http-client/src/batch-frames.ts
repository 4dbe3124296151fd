/**
 * Frames put several messages into one body. A frame is one line and then the message's body: `5 {"status":200}\nhello`. The
 * line has the number of bytes of the body, and the head as JSON. Bodies are neither escaped nor parsed.
 */

/** The longest line of a frame, in bytes. Node accepts at most 16 KB of headers in a request. */
export const MAX_HEAD_BYTES = 64 * 1024
const LINE_END = 0x0a
const SPACE = 0x20

export interface Frame<H> {
  readonly head: H
  readonly body: Buffer
}

/** The frame could not be read: the bytes are not what `encodeFrame` writes. */
export class MalformedFrame extends Error {
  override readonly name = 'MalformedFrame'
}

/** The pieces of a frame, to be written one after the other. */
export function encodeFrame(head: object, body: Buffer | null): Buffer[] {
  const line = Buffer.from(`${body?.length ?? 0} ${JSON.stringify(head)}\n`)
  return body === null || body.length === 0 ? [line] : [line, body]
}

/**
 * Reads frames from bytes that arrive in pieces of any size.
 *
 * @throws MalformedFrame from `push`. The reader must not be used afterwards
 */
export class FrameReader<H> {
  #rest: Buffer = Buffer.alloc(0)

  /** @param maxBodyBytes the largest body of one frame */
  constructor(private readonly maxBodyBytes: number) {}

  /** Whether all bytes so far belong to complete frames. */
  get isAtEnd(): boolean {
    return this.#rest.length === 0
  }

  /** The frames that are complete with this piece. Their heads are parsed, but not checked. */
  push(piece: Buffer): Frame<H>[] {
    this.#rest = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece])
    const frames: Frame<H>[] = []
    for (let frame = this.#next(); frame; frame = this.#next()) frames.push(frame)
    return frames
  }

  #next(): Frame<H> | null {
    const lineEnd = this.#rest.indexOf(LINE_END)
    if (lineEnd > MAX_HEAD_BYTES || (lineEnd < 0 && this.#rest.length > MAX_HEAD_BYTES)) {
      throw new MalformedFrame('the head is too long')
    }
    if (lineEnd < 0) return null
    const space = this.#rest.indexOf(SPACE)
    const length = this.#rest.toString('latin1', 0, space)
    if (space < 0 || space > lineEnd || !/^\d{1,9}$/.test(length)) throw new MalformedFrame('the length is missing')
    const end = lineEnd + 1 + Number(length)
    if (Number(length) > this.maxBodyBytes) throw new MalformedFrame('the body is too long')
    if (this.#rest.length < end) return null
    const head = parseHead<H>(this.#rest.toString('utf8', space + 1, lineEnd))
    const body = this.#rest.subarray(lineEnd + 1, end)
    this.#rest = this.#rest.subarray(end)
    return { head, body }
  }
}

function parseHead<H>(text: string): H {
  let head: unknown
  try {
    head = JSON.parse(text)
  } catch (error) {
    throw new MalformedFrame('the head is not JSON', { cause: error })
  }
  if (typeof head !== 'object' || head === null) throw new MalformedFrame('the head is not an object')
  return head as H
}
