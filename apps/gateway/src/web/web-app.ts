import { readdirSync } from 'node:fs'
import path from 'node:path'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** Files here have a hash of their content in their names. */
const HASHED = '/assets/'
const IMMUTABLE = 'public, max-age=31536000, immutable'
/** Kept, but asked for again each time: a deploy shows at once. */
const REVALIDATED = 'no-cache'

/**
 * Serves the built web app: its files, compressed where the build left a compressed twin, and its index page for every
 * other path that a browser opens, since the app routes those itself. Paths below /api/ are never pages.
 *
 * @param dist the folder of the build; throws when there is no index.html in it
 */
export async function serveWebApp(fastify: FastifyInstance, dist: string): Promise<void> {
  const root = path.resolve(dist)
  if (!readdirSync(root).includes('index.html')) throw new Error(`${root} holds no built web app`)
  // Loaded only where there is an app to serve: a door without one needs nothing of it.
  const { fastifyStatic } = await import('@fastify/static')
  await fastify.register(fastifyStatic, {
    root,
    wildcard: false,
    preCompressed: true,
    globIgnore: ['**/*.br', '**/*.gz', '**/*.map'],
    cacheControl: false,
    setHeaders: (reply, file) => {
      const hashed = file.replaceAll(path.sep, '/').includes(HASHED)
      reply.header('cache-control', hashed ? IMMUTABLE : REVALIDATED)
    },
  })
  fastify.get('/*', (request, reply) => {
    if (isPage(request)) return reply.sendFile('index.html')
    reply.callNotFound()
  })
}

/** A browser that opens an address says that it wants HTML; one that fetches a missing script or image does not. */
function isPage(request: FastifyRequest): boolean {
  if (request.url === '/api' || request.url.startsWith('/api/')) return false
  return request.headers.accept?.includes('text/html') ?? false
}
