/** A deadline as it stands in its row. */
export interface Deadline {
  readonly id: string
  readonly dueAt: Date
}

/** Rows of one kind that have a due time. Only the rows count; a job in the queue is a reminder to look at one. */
export interface DeadlineSource {
  /** Names the kind in jobs, logs and metrics: lower case letters and dashes. */
  readonly name: string
  /** How many the sweeper fires at the same time: 8 when left out, fewer for work that is not urgent. */
  readonly atOnce?: number
  /** Deadlines due at or before `before` that have not fired, the earliest first, at most `limit`. */
  upcoming(before: Date, limit: number): Promise<readonly Deadline[]>
  /**
   * Does what is due, in a dbTx that reads the row again. It does nothing when the row is not due any more or has a later
   * due time, so calling it early or twice changes nothing.
   */
  fire(id: string, dueAt: Date): Promise<void>
}
