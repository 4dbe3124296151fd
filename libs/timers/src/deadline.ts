/** A deadline as its row has it. */
export interface Deadline {
  readonly id: string
  readonly dueAt: Date
}

/** Rows that have a due time, of one kind. The rows are the truth; whatever a queue knows is a reminder. */
export interface DeadlineSource {
  /** Names the kind in jobs, logs and metrics: lower case letters and dashes. */
  readonly name: string
  /** How many the sweeper fires at the same time; few for what nobody waits for. 8 when left out. */
  readonly atOnce?: number
  /** Deadlines due at or before `before` that have not fired, the earliest first, at most `limit`. */
  upcoming(before: Date, limit: number): Promise<readonly Deadline[]>
  /**
   * Does what is due, in a dbTx that looks at the row again: when the row is not due any more, or has another due time
   * that is not reached, it does nothing. So early, late, twice and never are all harmless.
   */
  fire(id: string, dueAt: Date): Promise<void>
}
