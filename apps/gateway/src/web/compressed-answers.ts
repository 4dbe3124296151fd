import { fastifyCompress } from '@fastify/compress'
import type { FastifyInstance } from 'fastify'

/** A shorter answer is sent as it is: it fits into one packet. */
const MIN_BYTES = 1_024
/** An answer up to this size is compressed at once, which takes about a millisecond. A longer one is compressed in another thread. */
const AT_ONCE_BYTES = 16 * 1_024

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
 * Request bodies are not decompressed: a few kilobytes could become gigabytes.
 */
export async function compressAnswers(fastify: FastifyInstance): Promise<void> {
  fastify.addHook('onRequest', async ({ headers }) => {
    if (OTHER_SITES.has(headers['sec-fetch-site'])) delete headers['accept-encoding']
  })
  await fastify.register(fastifyCompress, {
    encodings: ['br', 'gzip'],
    threshold: MIN_BYTES,
    syncThreshold: AT_ONCE_BYTES,
    globalDecompression: false,
  })
}
