import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { ROOT } from './settings.js'
import { runTests } from './test-run.js'

/** @typedef {import('./suites.js').Outcome} Outcome */

// More than the two processors of a small machine, because many integration tests wait for a time-out.
const WORKERS = 3
/** The first lines of a message say what was wrong. The stack is in the log. */
const LINES_OF_MESSAGE = 4

/** What Node needs to run Jest: packages of this tree are read from their sources, which module hooks compile. */
const JEST = [
  '--conditions=source',
  '--enable-source-maps',
  // Module hooks are an experiment of Node 20.
  '--disable-warning=ExperimentalWarning',
  `--import=${new URL('../jest/register.js', import.meta.url)}`,
  path.join(ROOT, 'node_modules/jest/bin/jest.js'),
]

/** The arguments with which Node runs Jest on some kinds of tests of `jest.config.js`, in files whose paths match a pattern. */
export const jestArguments = (kinds, patterns = []) => [
  ...JEST,
  `--config=${path.join(ROOT, 'jest.config.js')}`,
  ...patterns,
  '--selectProjects',
  ...kinds,
]

/**
 * What the words of a command ask for: `<kinds of tests> -- <Jest's options and patterns>`. Without `--` every word is a kind.
 * @param {string[]} words @returns {{ kinds: string[], patterns: string[] }}
 */
export function readWords(words) {
  const kinds = words.includes('--') ? words.slice(0, words.indexOf('--')) : words
  return { kinds, patterns: words.slice(kinds.length + 1).filter(word => word !== '--') }
}

/**
 * Runs Jest on some kinds of tests of `jest.config.js`, shows its output, and answers what came out. A file that could not be
 * loaded counts as one failure, and so does a run that does not end.
 * @param {import('./processes.js').Processes} processes
 * @param {string[]} kinds
 * @param {{ patterns?: string[] | undefined, env?: NodeJS.ProcessEnv, workers?: number }} options
 * @returns {Promise<Outcome>}
 */
export async function runJest(processes, kinds, { patterns = [], env = {}, workers = WORKERS } = {}) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-jest-'))
  try {
    const result = path.join(folder, 'report.json')
    const args = [...jestArguments(kinds, patterns), `--maxWorkers=${workers}`, '--json', `--outputFile=${result}`]
    return await runTests(processes, 'Jest', args, { cwd: ROOT, env, result }, outcomeOf)
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * What a JSON report of Jest says.
 * @returns {Outcome}
 */
export function outcomeOf({ numPassedTests, testResults }) {
  const failures = testResults.filter(isFailed).flatMap(({ name, message, assertionResults }) => {
    const place = path.relative(ROOT, name)
    const tests = assertionResults.filter(isFailed)
    if (tests.length === 0) return [withReason(place, message)]
    return tests.map(({ fullName, failureMessages }) => withReason(`${place} › ${fullName}`, failureMessages[0] ?? ''))
  })
  return { passed: numPassedTests, failures }
}

const isFailed = ({ status }) => status === 'failed'

const withReason = (name, message) =>
  [name, ...stripVTControlCharacters(message).split('\n').slice(0, LINES_OF_MESSAGE)].join('\n')
