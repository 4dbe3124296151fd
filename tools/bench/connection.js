import net from 'node:net'

const ACCEPTED = new Set(['200', '201'])
/** A payment provider sends its events from about a dozen addresses. The gateway limits what one address sends at a time. */
const SENDERS = 12

/** A header with which a server says that it takes no further request on a connection. */
const CLOSES = /\r\nconnection: close\r\n/i

/**
 * A raw socket that sends one request at a time. It costs far less processor time than a client library. It opens when there is a request to send,
 * and opens again after the server has closed it.
 *
 * A server may close an idle connection in the moment in which a request is sent. So a request on a connection that was used before, and that ends
 * without a byte of an answer, is sent once more, as browsers do. `sentAgain` counts these requests.
 */
export class Connection {
  sentAgain = 0
  /** @type {net.Socket | null} */
  #socket = null
  #request = ''
  #received = ''
  /** @type {((problem: string | null) => void) | null} */
  #done = null
  #port
  #sender

  /** @param sender chooses one of the `SENDERS` addresses, on systems that have them */
  constructor(port, sender = 0) {
    this.#port = port
    this.#sender = sender
  }

  /**
   * Sends a request, and calls `done` once: with null after a success, otherwise with what went wrong.
   *
   * @param {string} text
   * @param {(problem: string | null) => void} done
   */
  send(text, done) {
    this.#request = text
    this.#done = done
    this.#socket ??= this.#open()
    this.#socket.write(text)
  }

  close() {
    this.#socket?.destroy()
    this.#socket = null
  }

  #open() {
    const socket = net.connect({ port: this.#port, host: '127.0.0.1', localAddress: addressOf(this.#sender) })
    socket.setNoDelay(true)
    socket.setEncoding('latin1')
    socket.on('data', chunk => this.#read(chunk))
    socket.on('error', error => this.#end(socket, error.message))
    socket.on('close', () => this.#end(socket, 'the connection was closed'))
    return socket
  }

  #end(socket, reason) {
    // Another one may have taken its place.
    if (this.#socket !== socket) return
    this.#socket = null
    if (!this.#done) return
    const wasUsed = socket.bytesRead > 0
    if (wasUsed && this.#received === '') {
      this.sentAgain++
      this.send(this.#request, this.#done)
    } else {
      this.#received = ''
      this.#answer(reason)
    }
  }

  #read(chunk) {
    this.#received += chunk
    const length = answerLength(this.#received)
    if (length === null || this.#received.length < length) return
    const problem = ACCEPTED.has(this.#received.slice(9, 12)) ? null : this.#received.slice(0, 600)
    if (CLOSES.test(this.#received.slice(0, length))) this.close()
    this.#received = this.#received.slice(length)
    this.#answer(problem)
  }

  #answer(problem) {
    const done = this.#done
    this.#done = null
    done?.(problem)
  }
}

/** On Linux every address of 127.0.0.0/8 is this machine. */
const addressOf = sender => (process.platform === 'linux' ? `127.0.0.${1 + (sender % SENDERS)}` : '127.0.0.1')

/** The length of the first answer in the text; null while its head is incomplete. */
function answerLength(text) {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return null
  const length = /content-length: (\d+)/i.exec(text.slice(0, end))
  if (length) return end + 4 + Number(length[1])
  const last = text.indexOf('0\r\n\r\n', end)
  return last < 0 ? Number.POSITIVE_INFINITY : last + 5
}
