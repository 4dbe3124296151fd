import { readdirSync } from 'node:fs'
import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import { INDEX, type PageOptions, servePages } from './pages.js'
import { takePostedSignIn } from './posted-sign-in.js'

/** Files here have a hash of their content in their names. */
const HASHED = '/assets/'
const IMMUTABLE = 'public, max-age=31536000, immutable'
/** The browser keeps the file and asks each time whether it has changed, so that a deploy is visible at once. */
const REVALIDATED = 'no-cache'

/**
 * Serves the built web app: its pages and its files. A file is sent compressed when the build made a compressed copy.
 *
 * @param dist the folder of the build
 * @throws Error when there is no built web app in it
 */
export async function serveWebApp(fastify: FastifyInstance, dist: string, options: PageOptions): Promise<void> {
  const root = path.resolve(dist)
  if (!readdirSync(root).includes(INDEX)) throw new Error(`${root} contains no built web app`)
  // Loaded only when there is an app to serve. A gateway that serves the API alone does not need it.
  const { fastifyStatic } = await import('@fastify/static')
  await fastify.register(fastifyStatic, {
    root,
    wildcard: false,
    index: false,
    preCompressed: true,
    globIgnore: [INDEX, '**/*.br', '**/*.gz', '**/*.map'],
    cacheControl: false,
    setHeaders: (reply, file) => {
      const hashed = file.replaceAll(path.sep, '/').includes(HASHED)
      reply.header('cache-control', hashed ? IMMUTABLE : REVALIDATED)
    },
  })
  servePages(fastify, root, options)
  takePostedSignIn(fastify)
}
