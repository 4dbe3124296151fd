import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { eventually } from '@holdfast/testing/eventually'
import Fastify from 'fastify'
import { request } from 'undici'
import { compressAnswers } from './compressed-answers.js'

const MAX_LONG_ANSWERS = 2
const fastify = Fastify({ forceCloseConnections: true })
afterEach(() => fastify.close())

describe('a long answer', () => {
  it('is sent as it is while clients that do not read have many of them, and compressed again when they have gone', async () => {
    await compressAnswers(fastify, MAX_LONG_ANSWERS)
    // So much noise that the compressor passes the first bytes on.
    const begun = () => {
      const stream = new Readable({ read: () => {} })
      stream.push(randomBytes(500_000))
      return stream
    }
    fastify.get('/endless', (_, reply) => reply.type('text/plain').send(begun()))
    fastify.get('/long', (_, reply) => reply.type('text/plain').send('long '.repeat(10_000)))
    fastify.get('/short', (_, reply) => reply.type('text/plain').send('short '.repeat(1_000)))
    const origin = await fastify.listen({ port: 0, host: '127.0.0.1' })
    const ask = (path: string) => request(`${origin}${path}`, { headers: { 'accept-encoding': 'gzip' } })
    const encodingOf = async (path: string) => {
      const { headers, body } = await ask(path)
      await body.dump()
      return headers['content-encoding']
    }

    expect(await encodingOf('/long')).toBe('gzip')
    const endless = await Promise.all(Array.from({ length: MAX_LONG_ANSWERS }, () => ask('/endless')))
    expect(endless.map(({ headers }) => headers['content-encoding'])).toEqual(['gzip', 'gzip'])
    expect([await encodingOf('/long'), await encodingOf('/short')]).toEqual([undefined, 'gzip'])
    for (const { body } of endless) body.on('error', () => {}).destroy()
    await eventually(async () => (await encodingOf('/long')) === 'gzip')
  })
})
