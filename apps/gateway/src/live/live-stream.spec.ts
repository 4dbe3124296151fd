import { createServer, get, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { UserActor } from '@holdfast/service-kit/auth/actor'
import { LiveStream } from './live-stream.js'
import { LiveStreams, MAX_STREAMS_PER_USER } from './live-streams.js'

const user = (id: string): UserActor => ({ kind: 'user', id, role: 'user', plan: 'standard' })

describe('a live stream', () => {
  it('is ended when its browser does not read, so that it cannot fill the memory', async () => {
    let opened: (stream: LiveStream) => void
    const stream = new Promise<LiveStream>(resolve => (opened = resolve))
    const server = createServer((_, response) => {
      const live = new LiveStream(response, user('ana'), '', 0)
      live.begin({})
      opened(live)
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const reader = get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' })
    // The client reads the headers and nothing after them.
    reader.on('response', response => response.pause()).on('error', () => {})
    const live = await stream
    let closed = false
    live.onClose(() => (closed = true))
    for (let i = 0; i < 2_000 && !closed; i++) {
      live.write(`: ${'x'.repeat(10_000)}\n\n`)
      if (i % 50 === 0) await sleep(1)
    }
    expect(closed).toBe(true)
    live.write(': after the end\n\n')
    reader.destroy()
    await new Promise(resolve => server.close(resolve))
  })
})

describe('the live streams', () => {
  const stream = (id: string) => new LiveStream({} as ServerResponse, user(id), '', 0)

  it('are found by user until they are removed', () => {
    const streams = new LiveStreams()
    const [one, two] = [stream('ana'), stream('ana')]
    streams.add(one)
    streams.add(two)
    streams.add(stream('ben'))
    expect([...streams.of('ana')]).toEqual([one, two])
    streams.remove(one)
    streams.remove(one)
    expect([[...streams.of('ana')].length, streams.size]).toEqual([1, 2])
  })

  it('are limited in number, for each user and in total', () => {
    const streams = new LiveStreams(MAX_STREAMS_PER_USER + 1)
    for (let i = 0; i < MAX_STREAMS_PER_USER; i++) streams.add(stream('ana'))
    expect(() => streams.add(stream('ana'))).toThrow(expect.objectContaining({ code: 'RATE_LIMITED' }))
    streams.add(stream('ben'))
    expect(() => streams.add(stream('eve'))).toThrow(expect.objectContaining({ code: 'UNAVAILABLE' }))
  })
})
