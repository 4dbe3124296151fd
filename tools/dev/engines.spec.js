import { narrowerEngines } from './engines.js'

const PROMISE = '^20.19.0 || >=22.13'

describe('the promised versions of Node', () => {
  it.each(['>=18', '^20.19.0 || >=22.12.0', '*', '>= 20.0.0'])('are all covered by a package for %s', async node => {
    expect(await narrowerEngines({ 'node_modules/a': { version: '1.0.0', engines: { node } } }, PROMISE)).toEqual([])
  })

  it.each(['>=22', '^20.19.0', '^20.19.0 || >=24', '>=20.19.1'])('are not covered by a package for %s', async node => {
    expect(await narrowerEngines({ 'node_modules/a': { version: '1.0.0', engines: { node } } }, PROMISE)).toEqual([
      `node_modules/a 1.0.0: Node ${node}`,
    ])
  })

  it('need not be covered by a package for a system that the product does not run on', async () => {
    const forWindows = { version: '1.0.0', optional: true, os: ['win32'], engines: { node: '>=24' } }
    expect(await narrowerEngines({ 'node_modules/a': forWindows }, PROMISE)).toEqual([])
  })

  it('are covered by a package that names none, and by the workspaces themselves', async () => {
    const packages = { 'libs/kernel': { version: '0.1.0' }, 'node_modules/@holdfast/kernel': { link: true } }
    expect(await narrowerEngines(packages, PROMISE)).toEqual([])
  })
})
