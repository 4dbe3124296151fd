import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { createBucket, type S3Engine, startS3 } from '@holdfast/engines/s3'
import { Client } from 'minio'
import type { S3Settings } from '../src/s3-settings.js'

/** An S3 server of its own, with its buckets as an operator would set them up. Its objects are files that a test can damage. */
export class S3Bucket {
  private constructor(
    private readonly folder: string,
    readonly engine: S3Engine,
    readonly settings: S3Settings,
    /** Another client, for what the product never does. */
    readonly client: Client,
  ) {}

  /** @param keepsVersions whether the bucket keeps versions of its objects, and lets them be locked */
  static async start(keepsVersions: boolean): Promise<S3Bucket> {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-s3-'))
    const engine = await startS3(folder)
    const { hostname: host, port } = new URL(engine.endpoint)
    const { accessKey, secretKey, region } = engine
    const settings = { host, port: Number(port), secure: false, bucket: 'holdfast', accessKey, secretKey, region }
    const client = new Client({ endPoint: host, port: settings.port, useSSL: false, accessKey, secretKey, region })
    await createBucket(engine, settings.bucket, keepsVersions)
    return new S3Bucket(folder, engine, settings, client)
  }

  /** The file in which the server keeps an object. */
  file(key: string): string {
    return path.join(this.folder, 'data', this.settings.bucket, key)
  }

  /** The number of versions and delete markers of a key. */
  async versions(key: string): Promise<number> {
    const { objects } = await this.client.listObjectsQuery(this.settings.bucket, key, '', {
      Delimiter: '',
      MaxKeys: 1000,
      IncludeVersion: true,
    })
    return objects.length
  }

  async stop(): Promise<void> {
    await this.engine.process.kill()
    fs.rmSync(this.folder, { recursive: true, force: true })
  }
}
