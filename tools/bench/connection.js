import net from 'node:net'

const ACCEPTED = new Set(['200', '201'])
/** A payment provider sends its events from about a dozen addresses. The gateway limits what one address sends at a time. */
const SENDERS = 12

/** A raw socket that sends one request at a time. It costs far less processor time than a client library. */
export class Connection {
  #socket
  #received = ''
  #done = null
  #gone = null
  #port
  #sender

  /** @param sender chooses one of the `SENDERS` addresses, on systems that have them */
  constructor(port, sender = 0) {
    this.#port = port
    this.#sender = sender
    this.#socket = net.connect({ port, host: '127.0.0.1', localAddress: addressOf(sender) })
    this.#socket.setNoDelay(true)
    this.#socket.setEncoding('latin1')
    this.#socket.on('data', chunk => this.#read(chunk))
    this.#socket.on('error', error => this.#end(error.message))
    this.#socket.on('close', () => this.#end('the connection was closed'))
  }

  get isOpen() {
    return this.#gone === null
  }

  /** This connection while it is open, otherwise a new one from the same address: the gateway closes connections that were idle. */
  reopened() {
    return this.isOpen ? this : new Connection(this.#port, this.#sender)
  }

  /** Sends a request, and calls `done` once: with null after a success, otherwise with what went wrong. */
  send(text, done) {
    if (this.#gone !== null) return done(this.#gone)
    this.#done = done
    this.#socket.write(text)
  }

  close() {
    this.#socket.destroy()
  }

  #read(chunk) {
    this.#received += chunk
    const length = answerLength(this.#received)
    if (length === null || this.#received.length < length) return
    const problem = ACCEPTED.has(this.#received.slice(9, 12)) ? null : this.#received.slice(0, 600)
    this.#received = this.#received.slice(length)
    this.#answer(problem)
  }

  #end(reason) {
    this.#gone ??= reason
    this.#answer(this.#gone)
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
