import { fastifyCompress } from '@fastify/compress'
import type { FastifyInstance } from 'fastify'

/** A shorter answer is sent as it is: it fits into one packet. */
const MIN_BYTES = 1_024
/** An answer up to this size is compressed at once. That takes about a millisecond; a longer one is compressed beside other work. */
const AT_ONCE_BYTES = 16 * 1_024

/**
 * Compresses answers for clients that accept it. To be called before the routes are registered. Events (`/api/events`) are
 * written past it, and files that the build compressed are sent as they are.
 *
 * Request bodies are not decompressed: a few kilobytes could become gigabytes.
 */
export async function compressAnswers(fastify: FastifyInstance): Promise<void> {
  await fastify.register(fastifyCompress, {
    encodings: ['br', 'gzip'],
    threshold: MIN_BYTES,
    syncThreshold: AT_ONCE_BYTES,
    globalDecompression: false,
  })
}
