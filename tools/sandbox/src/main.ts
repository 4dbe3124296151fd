import { createSandbox } from './app.js'
import { loadConfig } from './config.js'
import { PostgresStore } from './state/postgres-store.js'

/** After this the process ends, even when requests are still running. Undelivered events are in the database. */
const SHUTDOWN_DEADLINE_MS = 5_000

async function main(): Promise<void> {
  const config = loadConfig(process.env)
  const sandbox = await createSandbox(config, await PostgresStore.open(config.databaseUrl))
  const origin = await sandbox.listen()
  sandbox.app.log.info({ origin, livemode: false }, 'the sandbox is ready')

  let ending = false
  const end = (cause: string) => {
    if (ending) return
    ending = true
    sandbox.app.log.info({ cause }, 'the sandbox ends')
    setTimeout(() => process.exit(1), SHUTDOWN_DEADLINE_MS).unref()
    sandbox.close().then(
      () => process.exit(0),
      (error: unknown) => {
        sandbox.app.log.error({ err: error }, 'the sandbox could not end cleanly')
        process.exit(1)
      },
    )
  }
  process.once('SIGTERM', () => end('SIGTERM'))
  process.once('SIGINT', () => end('SIGINT'))
  sandbox.context.state.signals.once('broken', cause => {
    process.stderr.write(`The sandbox cannot keep its state: ${cause.message}\n`)
    process.exit(1)
  })
  // The launcher holds the other end of this channel, and the process must not outlive it.
  process.once('disconnect', () => end('the launcher is gone'))
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
})
