// Reads docs/runbooks, and runs the commands of its pages.

import { execFile } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const FOLDER = path.join(ROOT, 'docs/runbooks')
/** The text of each page by its name. */
export const RUNBOOKS = Object.fromEntries(
  fs.readdirSync(FOLDER).map(page => [page, fs.readFileSync(path.join(FOLDER, page), 'utf8')]),
)

/** The blocks of a page in a language, which may stand in a list. */
export const blocksOf = (text, language) =>
  [...text.matchAll(new RegExp(`^ *\`\`\`${language}\\n(.*?)^ *\`\`\``, 'gms'))].map(([, block]) => block)

const ANY_BLOCK = /^ *```.*?^ *```/gms
/** A command that stands in a sentence. `kubectl scale` alone is the name of one. */
const IN_SENTENCE =
  /`((?:chronyc|cp -|curl -|docker compose|flux|kill -|kubectl -n|node (?:-p|\w+\/)|npm run|npx|ps -|s3) ?[^`]+)`/g
/** What an operator replaces. `<(…)` is bash's own. */
const PLACEHOLDER = /<[\w-]+>/

/** The commands of a page: its `sh` blocks, and those that stand in sentences. */
export function commandsOf(text) {
  const blocks = blocksOf(text, 'sh').map(block => block.replace(/^ {3}/gm, ''))
  const inSentences = [...text.replace(ANY_BLOCK, '').matchAll(IN_SENTENCE)].map(([, each]) => `${each}\n`)
  return [...new Set([...blocks, ...inSentences])]
}

/** The commands of a page that have these words, or only the one that has nothing else, if there is such a one. */
export function commandsWith(page, words) {
  const found = commandsOf(RUNBOOKS[page]).filter(each => each.includes(words))
  const whole = found.filter(each => each.trim() === words)
  return whole.length > 0 ? whole : found
}

/**
 * A command of a runbook as it stands there, to be run by a test. `runbook-commands.spec.js` reads the calls in the tests, so `page` and
 * `words` are literals.
 *
 * @param {string} page such as 'README.md'
 * @param {string} words are in this command of the page and in no other, or are all of it
 * @param {Record<string, string>} values what an operator writes in place of parts of the command, such as `{ '<deal>': '1001' }`
 */
export function command(page, words, values = {}) {
  const found = commandsWith(page, words)
  if (found.length !== 1) throw new Error(`${page} has ${found.length} commands with: ${words}`)
  let [text] = found
  for (const [part, value] of Object.entries(values)) {
    if (!text.includes(part)) throw new Error(`${page} does not have ${part} in:\n${text}`)
    text = text.replaceAll(part, value)
  }
  if (PLACEHOLDER.test(text)) throw new Error(`A value is missing in:\n${text}`)
  return text
}

const execute = promisify(execFile)
const { PATH, HOME, TMPDIR } = process.env
const INHERITED = { PATH, HOME, TMPDIR }

/**
 * Runs commands in bash. The first that fails ends them. Resolves with `{ stdout, stderr }`. Rejects with an error that has these and `code`
 * when they fail.
 *
 * @param {string} script
 * @param {{ env?: Record<string, string>, input?: string, cwd?: string }} options `input` is what the operator types
 */
export function run(script, { env = {}, input, cwd = ROOT } = {}) {
  const running = execute('bash', ['--norc', '-euo', 'pipefail', '-c', script], { cwd, env: { ...INHERITED, ...env } })
  running.child.stdin?.end(input)
  return running
}
