import net from 'node:net'

/** A port of this machine that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = net.createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as net.AddressInfo
  await new Promise(resolve => server.close(resolve))
  return port
}

/** Whether something accepts connections at the port. */
export function answersAt(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = net.connect({ host: '127.0.0.1', port })
    const answer = (answers: boolean): void => {
      socket.destroy()
      resolve(answers)
    }
    socket.once('connect', () => answer(true))
    socket.once('error', () => answer(false))
  })
}
