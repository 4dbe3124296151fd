import fs from 'node:fs'
import path from 'node:path'
import { commandPath } from './commands.js'
import { EngineProcess } from './engine-process.js'
import { answersAt, freePort } from './ports.js'

/** A running Redis. Its data survive `kill` and `start`, up to the last second. */
export interface RedisEngine {
  readonly url: string
  readonly process: EngineProcess
}

/**
 * Starts a Redis whose data lie in `folder`.
 * @param policy what it does when its memory is full; the product needs `noeviction`
 */
export async function startRedis(folder: string, policy = 'noeviction'): Promise<RedisEngine> {
  const port = await freePort()
  const data = path.join(folder, 'data')
  fs.mkdirSync(data, { recursive: true })
  const process = new EngineProcess({
    name: 'Redis',
    file: commandPath('redis-server'),
    args: [
      ...['--bind', '127.0.0.1', '--port', String(port), '--dir', data],
      // Tests take a database each.
      ...['--databases', '1000'],
      ...['--appendonly', 'yes', '--appendfsync', 'everysec', '--save', '', '--maxmemory-policy', policy],
    ],
    logFile: path.join(folder, 'redis.log'),
    isReady: () => answersAt(port),
    withinMs: 20_000,
  })
  await process.start()
  return { url: `redis://127.0.0.1:${port}`, process }
}
