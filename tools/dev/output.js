import { Failure } from './failure.js'

// Without a terminal, a phase prints a line each time this has passed, to show that it is still at work.
const HEARTBEAT_MS = 10_000
const REDRAW_MS = 200

const terminal = process.stdout.isTTY === true
const colours = terminal && process.env.NO_COLOR === undefined
const paint = (code, text) => (colours ? `\u001b[${code}m${text}\u001b[0m` : text)

export const bold = text => paint('1', text)
export const dim = text => paint('2', text)
const good = text => paint('32', text)
const bad = text => paint('31', text)

// A closed terminal or pipe must not prevent a clean shutdown; its output is dropped.
process.stdout.on('error', ignoreGoneReader)
process.stderr.on('error', ignoreGoneReader)
function ignoreGoneReader(error) {
  if (!['EPIPE', 'EIO', 'EBADF', 'ERR_STREAM_DESTROYED'].includes(error.code)) throw error
}

let redraw = () => {}

/** Prints whole lines above the progress line of a running phase. */
export function say(...lines) {
  if (terminal) process.stdout.write('\r\u001b[K')
  for (const line of lines) process.stdout.write(`${line}\n`)
  redraw()
}

/** Seconds with one decimal, as people read them. */
export const seconds = ms => `${(ms / 1000).toFixed(1)} s`

/**
 * Runs one phase of the start, shows its progress and prints how long it took. `work` gets `note(detail)`, which shows what
 * the phase is doing now. A string that `work` returns is printed beside the phase's name. What it throws is thrown on.
 * @template T @param {string} title @param {(note: (detail: string) => void) => T | Promise<T>} work @returns {Promise<T>}
 */
export async function phase(title, work) {
  const began = performance.now()
  let detail = ''
  const line = () => `  … ${title} ${dim(`${seconds(performance.now() - began)} ${detail}`)}`
  redraw = () => {
    if (terminal) process.stdout.write(`\r\u001b[K${line().slice(0, (process.stdout.columns || 80) + 12)}`)
  }
  const timer = terminal ? setInterval(redraw, REDRAW_MS) : setInterval(() => say(line()), HEARTBEAT_MS)
  const finish = mark => {
    clearInterval(timer)
    redraw = () => {}
    return mark
  }
  redraw()
  try {
    const result = await work(text => {
      detail = text
    })
    const remark = typeof result === 'string' ? ` ${dim(result)}` : ''
    say(`${finish(`  ${good('✓')}`)} ${title.padEnd(34)} ${seconds(performance.now() - began).padStart(7)}${remark}`)
    return result
  } catch (error) {
    say(`${finish(`  ${bad('✗')}`)} ${title.padEnd(34)} ${seconds(performance.now() - began).padStart(7)}`)
    throw error
  }
}

/** Shows why the start or the run ended: one sentence for a Failure, the whole stack for any other error. */
export function sayFailure(error) {
  if (!(error instanceof Failure)) {
    say('', bad('The launcher has a fault:'), String(error?.stack ?? error))
    return
  }
  say('', bad(error.message), ...error.details.map(line => `    ${line}`))
}
