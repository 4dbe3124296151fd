import { fastifyCompress } from '@fastify/compress'
import type { FastifyInstance, FastifyReply } from 'fastify'

/** A shorter answer is sent as it is: it fits into one packet. */
const MIN_BYTES = 1_024
/** An answer up to this size is compressed at once, which takes about a millisecond. A longer one is compressed in another thread. */
const AT_ONCE_BYTES = 16 * 1_024

/**
 * The most long answers that are compressed at a time. The plugin compresses without waiting for the client to read, so each
 * takes a megabyte or two until it is sent. Measured without this limit: 300 connections of a client that did not read took 1.5 GB.
 */
const MAX_LONG_ANSWERS = 64

/** The values of `Sec-Fetch-Site` by which a browser says that a page of another origin caused the request. */
const OTHER_SITES = new Set<unknown>(['cross-site', 'same-site'])

/**
 * Compresses answers for clients that accept it. To be called before the routes are registered. The stream of events
 * (`/api/events`) is not compressed. Files that the build compressed are sent as they are.
 *
 * A request that a page of another site caused gets its answer uncompressed. Such a page could put a guess into the answer. A
 * compressed answer is shorter when it contains the guess already, and an eavesdropper can see its size (BREACH,
 * https://breachattack.com).
 *
 * While `maxLongAnswers` long answers are being compressed and sent, further ones are sent as they are.
 *
 * Request bodies are not decompressed: a few kilobytes could become gigabytes.
 */
export async function compressAnswers(fastify: FastifyInstance, maxLongAnswers = MAX_LONG_ANSWERS): Promise<void> {
  fastify.addHook('onRequest', async ({ headers }) => {
    if (OTHER_SITES.has(headers['sec-fetch-site'])) delete headers['accept-encoding']
  })
  let longAnswers = 0
  // Hooks of a route run after this one, and the plugin's hook is one.
  fastify.addHook('onSend', async ({ headers }, reply, payload) => {
    if (headers['accept-encoding'] === undefined || isShort(payload) || !isText(reply)) return
    // The answer of a connection that is closed emits no second `close`.
    if (longAnswers >= maxLongAnswers || reply.raw.destroyed) {
      delete headers['accept-encoding']
      return
    }
    longAnswers++
    reply.raw.once('close', () => longAnswers--)
  })
  await fastify.register(fastifyCompress, {
    encodings: ['br', 'gzip'],
    threshold: MIN_BYTES,
    syncThreshold: AT_ONCE_BYTES,
    globalDecompression: false,
  })
}

const isShort = (payload: unknown): boolean =>
  payload === null ||
  payload === undefined ||
  ((typeof payload === 'string' || Buffer.isBuffer(payload)) && Buffer.byteLength(payload) <= AT_ONCE_BYTES)

/** Whether the answer may be compressed. Pictures, and files that the build compressed, are sent as they are. */
const isText = (reply: FastifyReply): boolean =>
  !reply.hasHeader('content-encoding') && !String(reply.getHeader('content-type')).startsWith('image/')
