import { Interrupted } from './failure.js'

// A lost IPC channel means that the process that started us has ended.
const STOP_EVENTS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect']
// npm forwards a Ctrl-C that the terminal has also sent to us: two signals this close together count as one.
const ECHO_MS = 500
const LOOK_FOR_SHELL_MS = 500

/**
 * Turns the signals that ask for a stop into two promises: `interrupted` rejects at the first signal, `hurry` resolves at the
 * second. `onFirst` and `onSecond` are called at the same moments, to inform the person.
 */
export function listenForStop({ onFirst, onSecond }) {
  /** @type {(reason: Error) => void} */
  let interrupt = () => {}
  /** @type {(value?: unknown) => void} */
  let endNow = () => {}
  /** @type {Promise<never>} */
  const interrupted = new Promise((_, reject) => {
    interrupt = reject
  })
  const hurry = new Promise(resolve => {
    endNow = resolve
  })
  interrupted.catch(() => {})
  /** @type {number | null} */
  let first = null
  let hurried = false
  const ask = () => {
    const now = performance.now()
    if (first === null) {
      first = now
      onFirst()
      interrupt(new Interrupted())
    } else if (now - first > ECHO_MS && !hurried) {
      hurried = true
      onSecond()
      endNow()
    }
  }
  for (const name of STOP_EVENTS) process.on(name, ask)
  whenShellOfNpmEnds(() => first ?? ask())
  return { interrupted, hurry }
}

/**
 * npm runs a script in a shell, and passes SIGTERM on to that shell. The shell ends without telling us, and no IPC channel closes: our
 * parent is then another process. Without npm nothing is watched, because a launcher in the background may outlive its shell.
 */
function whenShellOfNpmEnds(ended) {
  if (process.env.npm_lifecycle_event === undefined || process.channel) return
  const shell = process.ppid
  const looking = setInterval(() => {
    if (process.ppid === shell) return
    clearInterval(looking)
    ended()
  }, LOOK_FOR_SHELL_MS)
  looking.unref()
}
