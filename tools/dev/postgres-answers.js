import net from 'node:net'

const ANSWER_WITHIN_MS = 3_000

// PostgreSQL's frontend/backend protocol 3.0: a StartupMessage, and the first byte of the answer of a server that accepts connections.
const PROTOCOL = 3 << 16
const LOGIN = 'user\0postgres\0\0'
const AUTHENTICATION = 'R'.charCodeAt(0)
// The code of an ErrorResponse "too many clients already".
const TOO_MANY_CONNECTIONS = 'C53300\0'

/**
 * Whether a PostgreSQL on this machine serves: one that starts, stops or hangs does not. One that has given out all its
 * connections does.
 */
export function postgresAnswers(port) {
  return new Promise(resolve => {
    const socket = net.connect(port, '127.0.0.1')
    const end = answer => {
      socket.destroy()
      resolve(answer)
    }
    socket.setTimeout(ANSWER_WITHIN_MS, () => end(false))
    socket.once('error', () => end(false))
    socket.once('close', () => end(false))
    socket.once('data', bytes => end(bytes[0] === AUTHENTICATION || bytes.includes(TOO_MANY_CONNECTIONS)))
    socket.write(startupMessage())
  })
}

function startupMessage() {
  const message = Buffer.alloc(8 + LOGIN.length)
  message.writeInt32BE(message.length, 0)
  message.writeInt32BE(PROTOCOL, 4)
  message.write(LOGIN, 8)
  return message
}
