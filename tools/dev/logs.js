import fs from 'node:fs'
import path from 'node:path'
import { isDiskTrouble } from './preflight.js'

const LOG_BYTES_MAX = 10 * 1024 * 1024
const LOGS_KEPT = 3
const ROTATE_EVERY_MS = 60_000
const TAIL_BYTES = 16 * 1024
const TAIL_LINES = 15
const LINE_LENGTH_MAX = 300

/**
 * The log files of one data folder. Each process writes into its own file. So lines written while the launcher is being
 * killed are kept, and a busy service costs the launcher no time.
 */
export class Logs {
  #folder
  #files = new Set()
  #timer

  constructor(folder) {
    this.#folder = folder
    fs.mkdirSync(folder, { recursive: true })
    this.#timer = setInterval(() => this.#rotate(), ROTATE_EVERY_MS).unref()
  }

  /** Opens the log of `name` to append; answers `{ file, descriptor, from }`, `from` being where this run begins. */
  open(name) {
    const file = path.join(this.#folder, `${name}.log`)
    this.#files.add(file)
    this.#rotate()
    const descriptor = fs.openSync(file, 'a', 0o600)
    return { file, descriptor, from: fs.fstatSync(descriptor).size }
  }

  close() {
    clearInterval(this.#timer)
  }

  // Copied and truncated, not renamed: the writer keeps its open file and appends to it. A line written between the copy
  // and the truncation is lost. That is acceptable for a log on a developer's machine, once in 10 MB.
  #rotate() {
    for (const file of this.#files) {
      if (!fs.existsSync(file) || fs.statSync(file).size < LOG_BYTES_MAX) continue
      for (let age = LOGS_KEPT - 1; age >= 1; age--) {
        if (fs.existsSync(`${file}.${age}`)) fs.renameSync(`${file}.${age}`, `${file}.${age + 1}`)
      }
      copyIfRoom(file, `${file}.1`)
      fs.truncateSync(file)
    }
  }
}

function copyIfRoom(from, to) {
  try {
    fs.copyFileSync(from, to)
  } catch (error) {
    // On a full disk the old lines are given up.
    if (!isDiskTrouble(error)) throw error
    fs.rmSync(to, { force: true })
  }
}

/** The last lines of a log since the byte `from`. Of a JSON line only its message and its error's message are shown. */
export function lastLines({ file, from }) {
  const size = fs.statSync(file).size
  const start = Math.max(Math.min(from, size), size - TAIL_BYTES)
  const handle = fs.openSync(file, 'r')
  const buffer = Buffer.alloc(size - start)
  fs.readSync(handle, buffer, 0, buffer.length, start)
  fs.closeSync(handle)
  return buffer.toString('utf8').split('\n').filter(Boolean).slice(-TAIL_LINES).map(readable)
}

function readable(line) {
  return plain(line).slice(0, LINE_LENGTH_MAX)
}

function plain(line) {
  if (!line.startsWith('{')) return line
  try {
    const { msg, err } = JSON.parse(line)
    return [msg, err?.message].filter(Boolean).join(': ') || line
  } catch (error) {
    if (error instanceof SyntaxError) return line
    throw error
  }
}
