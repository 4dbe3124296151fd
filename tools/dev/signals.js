import { Interrupted } from './failure.js'

// A lost IPC channel means that whoever started us as a part of something is gone.
const STOP_EVENTS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect']
// npm passes on a Ctrl-C that the terminal has sent us already: two signals this close together are one.
const ECHO_MS = 500

/**
 * Turns the signals that mean "stop" into two promises: `interrupted` rejects at the first one, `hurry` resolves at a
 * second one. `onFirst` and `onSecond` tell the person.
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
