import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { loggerOf } from '../telemetry/logging.js'
import { registry } from '../telemetry/metrics.js'
import type { Health } from './health.js'

const log = loggerOf('ops')

/** The body of /healthz. An answer shows that the process is alive and that its event loop is not blocked. */
const ALIVE = { status: 'ok' }

/** Health routes on the service's own port. */
export function installHealth(fastify: FastifyInstance, health: Health): void {
  fastify.get('/healthz', () => ALIVE)
  fastify.get<{ Querystring: { deep?: string } }>('/readyz', async (request, reply) => {
    const { ready, body } = await health.readiness(request.query.deep === '1')
    reply.code(ready ? 200 : 503).header('cache-control', 'no-store')
    return body
  })
}

/** Health and metrics on a separate port, which is not public. */
export function startOpsListener(host: string, port: number, health: Health): Promise<Server> {
  const server = createServer((request, response) => {
    answer(request, response, health).catch((error: Error) => {
      log.error({ err: error, url: request.url }, 'a request for health or metrics was not answered')
      response.destroy()
    })
  })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      server.on('error', error => log.error({ err: error }, 'the listener for health and metrics had an error'))
      resolve(server)
    })
  })
}

async function answer(request: IncomingMessage, response: ServerResponse, health: Health): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://ops')
  if (pathname === '/metrics') return send(response, 200, registry.contentType, await registry.metrics())
  if (pathname === '/healthz') return sendJson(response, 200, ALIVE)
  if (pathname === '/readyz') {
    const { ready, body } = await health.readiness(searchParams.get('deep') === '1')
    return sendJson(response, ready ? 200 : 503, body)
  }
  sendJson(response, 404, { status: 'unknown path' })
}

const sendJson = (response: ServerResponse, status: number, body: object): void =>
  send(response, status, 'application/json; charset=utf-8', JSON.stringify(body))

function send(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body)
}
