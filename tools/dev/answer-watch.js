import { setTimeout as sleep } from 'node:timers/promises'
import { dim, say } from './output.js'

/**
 * Asks a process again and again whether it serves, until it has ended. Ends one that lives and has not answered several
 * times in a row, such as a PostgreSQL whose recovery was killed: it refuses every connection and never exits by itself.
 * @param {import('./processes.js').Processes} processes
 * @param {import('./processes.js').Entry} entry
 * @param {() => Promise<boolean>} answers
 * @param {{ askEveryMs: number, silentAsks: number }} timing
 */
export async function endWhenSilent(processes, entry, answers, { askEveryMs, silentAsks }) {
  let unanswered = 0
  while (!entry.ended && !processes.closing) {
    await sleep(askEveryMs, undefined, { ref: false })
    unanswered = (await answers()) ? 0 : unanswered + 1
    if (unanswered < silentAsks || entry.ended || processes.closing) continue
    say(
      `  ! ${entry.name} runs and has not answered ${dim(`${unanswered} times in a row`)}; it is ended and starts again`,
    )
    await processes.end(entry)
  }
}
