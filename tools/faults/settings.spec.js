import { readSettings } from './settings.js'

const KNOWN = ['clock skew', 'full disk', 'lag']

it('a run injects every fault, or those that are named, in the order in which they are known', () => {
  expect(readSettings([], KNOWN)).toEqual({ help: false, names: KNOWN })
  expect(readSettings(['--only', 'lag, clock skew'], KNOWN)).toEqual({ help: false, names: ['clock skew', 'lag'] })
  expect(readSettings(['--help'], KNOWN)).toMatchObject({ help: true })
})

it('a run refuses what it does not know', () => {
  for (const args of [['--only'], ['lag'], ['--only', 'lag', 'full disk'], ['--skip', 'lag']])
    expect(() => readSettings(args, KNOWN)).toThrow('is unknown')
  expect(() => readSettings(['--only', 'lag,flood'], KNOWN)).toThrow('There is no fault "flood"')
})
