import { Interrupted } from './failure.js'

// A lost IPC channel means that the process that started us has ended.
const STOP_EVENTS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect']
// npm forwards a Ctrl-C that the terminal has also sent to us: two signals this close together count as one.
const ECHO_MS = 500

/**
 * Turns the signals that ask for a stop into two promises: `interrupted` rejects at the first signal, `hurry` resolves at the
 * second. `onFirst` and `onSecond` are called at the same moments, to inform the person.
 */
export function listenForStop({ onFirst, onSecond }) {
  const stop = { interrupted: null, hurry: null }
  let first = null
  let hurried = false
  stop.hurry = new Promise(hurry => {
    stop.interrupted = new Promise((_, reject) => {
      for (const name of STOP_EVENTS) {
        process.on(name, () => {
          const now = performance.now()
          if (first === null) {
            first = now
            onFirst()
            reject(new Interrupted())
          } else if (now - first > ECHO_MS && !hurried) {
            hurried = true
            onSecond()
            hurry()
          }
        })
      }
    })
  })
  stop.interrupted.catch(() => {})
  return stop
}
