import { setTimeout as sleep } from 'node:timers/promises'
import type { BackendFactory, IQueueBackend } from 'bullmq'

/** How soon the queue tries again after an error. BullMQ's default of 15 s would make every deadline late. */
export const RETRY_AFTER_MS = 500

/** What a connection is for. */
export type ConnectionUse = 'adding jobs' | 'running jobs'

/** Where BullMQ keeps the jobs of a service. */
export interface QueueStore {
  /** Builds the storage of BullMQ's classes, for `withBackend`. */
  readonly createBackend: BackendFactory<IQueueBackend, ConnectionUse>
  /** Whether a job can be added now. While it cannot, the store has logged why. */
  readonly usable: boolean
  /** Whether the worker must end without waiting for the store, which may never answer. */
  readonly closesAtOnce: boolean
  /** Looks at the store before its first use; one that is away is no error. @throws Error when the store must not be used */
  open(): Promise<void>
  /** Ends the connections that BullMQ leaves open. */
  disconnect(): void
}

/** Adds a pause after an error. Without it a worker asks again at once, and would be busy for as long as the store fails. */
export function pausingAfterErrors<B extends IQueueBackend>(backend: B): B {
  const moveToActive = backend.moveToActive.bind(backend)
  backend.moveToActive = async (token, name) => {
    try {
      return await moveToActive(token, name)
    } catch (error) {
      await sleep(RETRY_AFTER_MS)
      throw error
    }
  }
  return backend
}
