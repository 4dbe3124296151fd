/**
 * For a DataLoader: holds the next batch back while one is out, so that it gathers what comes meanwhile. With none out
 * a batch leaves at the end of the present turn of the event loop, when all requests read from the sockets are in.
 */
export function oneBatchOut() {
  const waiting: (() => void)[] = []
  let out = false

  const leave = (): void => {
    const dispatch = out ? undefined : waiting.shift()
    if (!dispatch) return
    out = true
    setImmediate(dispatch)
  }

  return {
    /** DataLoader's `batchScheduleFn`. */
    schedule(dispatch: () => void): void {
      waiting.push(dispatch)
      leave()
    },
    /** Runs what a batch does; the next leaves when it is done, also when it failed. */
    async run<T>(work: () => Promise<T>): Promise<T> {
      try {
        return await work()
      } finally {
        out = false
        leave()
      }
    },
  }
}
