import net from 'node:net'
import { reservePorts } from './ports.js'
import { TOPOLOGY } from './topology.js'

const numbersOf = ({ postgres, smtp, ...processes }) => [
  postgres,
  smtp,
  ...Object.values(processes).flatMap(({ port, opsPort }) => [port, opsPort]),
]

describe('reservePorts', () => {
  it('gives every process ports of its own', async () => {
    const { ports, release } = await reservePorts(500)
    const numbers = numbersOf(ports)
    expect(new Set(numbers).size).toBe(numbers.length)
    release()
  })

  it('gives each replica of a service ports besides those at which the service is reached', async () => {
    const { ports, release } = await reservePorts(505, 0, TOPOLOGY, 2)
    const replicas = TOPOLOGY.services.flatMap(name => ports[name].replicas)
    const numbers = [...numbersOf(ports), ...replicas.flatMap(({ port, opsPort }) => [port, opsPort])]
    expect(replicas).toHaveLength(2 * TOPOLOGY.services.length)
    expect(new Set(numbers).size).toBe(numbers.length)
    release()
  })

  it('never gives two launchers the same port, though both want the same block and neither listens yet', async () => {
    const reserved = await Promise.all([reservePorts(510), reservePorts(510), reservePorts(510)])
    const numbers = reserved.flatMap(({ ports }) => numbersOf(ports))
    expect(new Set(numbers).size).toBe(numbers.length)
    for (const { release } of reserved) release()
  })

  it('gives a data folder its block again once it is free', async () => {
    const first = await reservePorts(520)
    first.release()
    const second = await reservePorts(520)
    expect(second.ports).toEqual(first.ports)
    second.release()
  })

  it('leaves the public port alone', async () => {
    const usual = await reservePorts(525)
    usual.release()
    const moved = await reservePorts(525, usual.ports.gateway.port)
    expect(numbersOf(moved.ports)).not.toContain(usual.ports.gateway.port)
    moved.release()
  })

  it('passes over a block of which another program uses one port', async () => {
    const { ports, release } = await reservePorts(530)
    release()
    const stranger = net.createServer().listen(ports.gateway.opsPort, '127.0.0.1')
    await new Promise(resolve => stranger.once('listening', resolve))
    const next = await reservePorts(530)
    expect(next.ports.postgres).not.toBe(ports.postgres)
    next.release()
    stranger.close()
  })
})
