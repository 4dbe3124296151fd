import type { DatabaseUrls } from '@holdfast/service-kit/lifecycle/config'
import { z } from 'zod'

/** The environment variable of a service that sets timers. */
export const timersShape = {
  /** The Redis with the queue of the timers: `redis://` or `rediss://`. When left out, the queue is in the database. */
  REDIS_URL: z.url({ protocol: /^rediss?$/ }).optional(),
}

/** The part of a configuration that the timers read. */
export interface TimersConfig extends DatabaseUrls {
  readonly NODE_ENV: string
  readonly REDIS_URL?: string | undefined
}
