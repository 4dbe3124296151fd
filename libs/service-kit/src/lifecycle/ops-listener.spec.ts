import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { Drain } from './drain.js'
import { Health } from './health.js'
import { startOpsListener } from './ops-listener.js'

test('an error of the listener for health and metrics does not end the process', async () => {
  const server = await startOpsListener('127.0.0.1', 0, new Health(new Drain()))
  for (const message of ['first', 'second']) server.emit('error', new Error(message))
  const { port } = server.address() as AddressInfo
  expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200)
  server.closeAllConnections()
  await once(server.close(), 'close')
})
