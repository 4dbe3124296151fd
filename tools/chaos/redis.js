import net from 'node:net'

const ANSWER_WITHIN_MS = 1_000

/** Empties a Redis. @throws Error when it refuses, closes the connection or does not answer */
export function flushRedis(url) {
  const { hostname: host, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = net.connect({ host, port: Number(port), timeout: ANSWER_WITHIN_MS }, () =>
      socket.write('FLUSHALL\r\n'),
    )
    socket.once('data', bytes => {
      const answer = String(bytes).trim()
      if (answer === '+OK') resolve(undefined)
      else reject(new Error(`Redis answered "${answer}"`))
      socket.destroy()
    })
    socket.once('timeout', () => socket.destroy(new Error('Redis does not answer')))
    socket.once('error', reject)
    socket.once('close', () => reject(new Error('Redis has closed the connection')))
  })
}
