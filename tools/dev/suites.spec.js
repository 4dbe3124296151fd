import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Failure, Interrupted } from './failure.js'
import { outcomeOf } from './jest-run.js'
import { ROOT } from './settings.js'
import { Suites } from './suites.js'

let printed
beforeEach(() => {
  jest.replaceProperty(process, 'env', { ...process.env })
  printed = ''
  jest.spyOn(process.stdout, 'write').mockImplementation(text => {
    printed += text
    return true
  })
})
afterEach(() => {
  jest.restoreAllMocks()
})

test('what failed is listed right before the counts, and is in the file of the result', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-suites-'))
  const file = path.join(folder, 'result.json')
  process.env.TEST_RESULT = file
  const suites = new Suites()
  expect(await suites.part('Journeys', async () => ({ passed: 3, failures: ['a buyer pays\nno button'] }))).toBe(false)
  expect(await suites.part('Units', async () => ({ passed: 4, failures: [] }))).toBe(true)
  const broken = () => Promise.reject(new Failure('Kafka does not start.', ['port in use']))
  expect(await suites.prepare('Engines', broken)).toBe(false)

  expect(suites.report()).toBe(1)
  expect(printed.slice(printed.indexOf('✗')).split('\n')).toEqual([
    '✗ Journeys › a buyer pays',
    '      no button',
    '  ✗ Engines › Kafka does not start.',
    '      port in use',
    '7 passed, 2 failed',
    '',
  ])
  expect(JSON.parse(fs.readFileSync(file, 'utf8'))).toEqual({
    passed: 7,
    failures: ['Journeys › a buyer pays\nno button', 'Engines › Kafka does not start.\nport in use'],
  })
  fs.rmSync(folder, { recursive: true })
})

test('a part that fails for a reason that nobody expected counts as one failure, and the others still run', async () => {
  const suites = new Suites()
  expect(await suites.part('Chaos', () => Promise.reject(new Error('the books are wrong')))).toBe(false)
  expect(await suites.part('Units', async () => ({ passed: 4, failures: [] }))).toBe(true)
  expect(suites.report()).toBe(1)
  expect(printed).toContain('✗ Chaos › the books are wrong\n4 passed, 1 failed\n')
})

test('a run that is asked to stop goes on with no other part', async () => {
  await expect(new Suites().part('Units', () => Promise.reject(new Interrupted()))).rejects.toThrow(Interrupted)
})

test('a report of Jest names the tests that failed and the files that could not be loaded, each with the first lines of the reason', () => {
  const failed = {
    status: 'failed',
    fullName: 'a fee is rounded down',
    failureMessages: ['\u001b[31mexpected 1\nb\nc\nd\ne'],
  }
  const passed = { status: 'passed', fullName: 'a fee is a number', failureMessages: [] }
  const report = {
    numPassedTests: 1,
    testResults: [
      { name: path.join(ROOT, 'libs/fees.spec.ts'), status: 'failed', message: '', assertionResults: [passed, failed] },
      { name: path.join(ROOT, 'libs/none.spec.ts'), status: 'failed', message: 'Cannot find it', assertionResults: [] },
      { name: path.join(ROOT, 'libs/good.spec.ts'), status: 'passed', message: '', assertionResults: [passed] },
    ],
  }
  const { passed: count, failures } = outcomeOf(report)
  expect(count).toBe(1)
  expect(failures).toEqual([
    'libs/fees.spec.ts › a fee is rounded down\nexpected 1\nb\nc\nd',
    'libs/none.spec.ts\nCannot find it',
  ])
})
