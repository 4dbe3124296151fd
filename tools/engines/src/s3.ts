import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { Client } from 'minio'
import { commandPath } from './commands.js'
import { EngineProcess } from './engine-process.js'
import { answersAt, freePort } from './ports.js'

/** The version of the S3 server, as its tags name it. */
export const VERSITYGW_VERSION = 'v1.8.0'

/** A running S3 server that keeps versions of its objects. Its data survive `kill` and `start`. */
export interface S3Engine {
  readonly endpoint: string
  readonly accessKey: string
  readonly secretKey: string
  readonly region: string
  readonly process: EngineProcess
}

/** Makes a bucket, unless it is there. @param keepsVersions whether it keeps versions of its objects, and lets them be locked */
export async function createBucket(engine: S3Engine, name: string, keepsVersions = true): Promise<void> {
  const { endpoint, accessKey, secretKey, region } = engine
  const { hostname, port } = new URL(endpoint)
  const client = new Client({ endPoint: hostname, port: Number(port), useSSL: false, accessKey, secretKey, region })
  if (!(await client.bucketExists(name))) await client.makeBucket(name, region, { ObjectLocking: keepsVersions })
}

/** Starts an S3 server whose data lie in `folder`. It has no bucket yet. */
export async function startS3(folder: string): Promise<S3Engine> {
  const port = await freePort()
  const [data, versions] = [path.join(folder, 'data'), path.join(folder, 'versions')]
  for (const each of [data, versions]) fs.mkdirSync(each, { recursive: true })
  const [accessKey, secretKey] = ['holdfast', randomBytes(20).toString('hex')]
  const process = new EngineProcess({
    name: 'The S3 server',
    file: commandPath('versitygw'),
    args: [
      ...['--port', `127.0.0.1:${port}`, '--health', '/healthz', '--quiet', '--keep-alive'],
      ...['posix', '--versioning-dir', versions, data],
    ],
    env: { ROOT_ACCESS_KEY: accessKey, ROOT_SECRET_KEY: secretKey },
    logFile: path.join(folder, 's3.log'),
    isReady: () => answersAt(port),
    withinMs: 20_000,
  })
  await process.start()
  return { endpoint: `http://127.0.0.1:${port}`, accessKey, secretKey, region: 'us-east-1', process }
}
