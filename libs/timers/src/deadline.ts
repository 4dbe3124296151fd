/** A deadline as its row has it. */
export interface Deadline {
  readonly id: string
  readonly dueAt: Date
}

/** Rows of one kind that have a due time. The row decides; a job in the queue only makes a process read the row. */
export interface DeadlineSource {
  /** Names the kind in jobs, logs and metrics: lower case letters and dashes. */
  readonly name: string
  /** How many are fired at the same time: 8 when left out, fewer for work that is not urgent. */
  readonly atOnce?: number
  /** How long a firing may keep its slot: 30 seconds when left out. After that it goes on, and the next one gets the slot. */
  readonly budgetMs?: number
  /**
   * Deadlines that have not fired and are due within `aheadMs` from now, by the database's time; a negative value asks for
   * those that have been due for so long. The earliest comes first, at most `limit`.
   */
  upcoming(aheadMs: number, limit: number): Promise<readonly Deadline[]>
  /**
   * Does the work that is due, in a dbTx that reads the row again. When the row is no longer due, or not due yet by the
   * database's time, it does nothing. So calling it too early or twice changes nothing.
   */
  fire(id: string, dueAt: Date): Promise<void>
}
