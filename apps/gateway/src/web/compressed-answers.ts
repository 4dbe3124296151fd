import { fastifyCompress } from '@fastify/compress'
import type { FastifyInstance } from 'fastify'

/** A shorter answer is sent as it is: it fits into one packet. */
const MIN_BYTES = 1_024
/** An answer up to this size is compressed at once. That takes about a millisecond; a longer one is compressed beside other work. */
const AT_ONCE_BYTES = 16 * 1_024

/** The values of `Sec-Fetch-Site` by which a browser says that a page of another origin caused the request. */
const OTHER_SITES = new Set<unknown>(['cross-site', 'same-site'])

/**
 * Compresses answers for clients that accept it. To be called before the routes are registered. Events (`/api/events`) are
 * written past it, and files that the build compressed are sent as they are.
 *
 * A request that a page of another site caused gets its answer as it is: that page could choose a part of the answer, and the
 * size of a compressed answer would tell an eavesdropper whether it occurs elsewhere in it (BREACH, https://breachattack.com).
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
