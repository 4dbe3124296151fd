/** One record put (its new value) or deleted (null). */
export type Change = readonly [collection: string, id: string, value: unknown]

/** Keeps records beyond the end of the process. */
export interface Store {
  /** Every record that is kept, those that came first first. Called once, before anything is appended. */
  load(): Promise<Change[]>
  /**
   * Keeps the changes of one command, all of them or none. Changes of several calls are kept in the order of the calls.
   *
   * @throws Error when they could not be kept; from then on every call fails, since the order would be lost
   */
  append(changes: readonly Change[]): Promise<void>
  /** Resolves when everything appended so far is kept or has failed. */
  settled(): Promise<void>
  /** Waits for what was appended, and lets go of connections. */
  close(): Promise<void>
}
