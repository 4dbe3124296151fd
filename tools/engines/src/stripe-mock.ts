import path from 'node:path'
import { commandPath } from './commands.js'
import { EngineProcess } from './engine-process.js'
import { answersAt, freePort } from './ports.js'

/**
 * Stripe's own mock of its API. It checks each request against Stripe's OpenAPI description, of the API version that
 * `install.ts` names, and answers with examples. It keeps no state.
 */
export interface StripeMockEngine {
  readonly url: string
  readonly process: EngineProcess
}

/** Starts Stripe's mock. It refuses a request that names another version of the API than its own. */
export async function startStripeMock(folder: string): Promise<StripeMockEngine> {
  const [port, tlsPort] = [await freePort(), await freePort()]
  const process = new EngineProcess({
    name: 'stripe-mock',
    file: commandPath('stripe-mock'),
    args: [
      '-strict-version-check',
      ...['-http-addr', `127.0.0.1:${port}`],
      // It always opens this port, too: without an address, on every interface.
      ...['-https-addr', `127.0.0.1:${tlsPort}`],
    ],
    logFile: path.join(folder, 'stripe-mock.log'),
    isReady: () => answersAt(port),
    withinMs: 20_000,
  })
  await process.start()
  return { url: `http://127.0.0.1:${port}`, process }
}
