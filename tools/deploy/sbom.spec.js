import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { listInstalled } from './sbom.js'

it('the list of an image has each installed package once for each place, and none of ours', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-sbom-'))
  fs.mkdirSync(path.join(folder, 'node_modules'))
  fs.writeFileSync(path.join(folder, 'package.json'), '{ "name": "holdfast", "version": "0.1.0" }')
  const packages = {
    'libs/timers': { version: '0.1.0' },
    'node_modules/@holdfast/timers': { resolved: 'libs/timers', link: true },
    'node_modules/pg': { version: '8.23.1', license: 'MIT', integrity: 'sha512-AQI=' },
    'libs/timers/node_modules/@scope/limit': { version: '7.3.3', license: 'MIT OR Apache-2.0' },
    'node_modules/limit': { name: '@scope/limit', version: '6.0.0' },
  }
  fs.writeFileSync(path.join(folder, 'node_modules/.package-lock.json'), JSON.stringify({ packages }))
  const { components } = listInstalled(folder)
  fs.rmSync(folder, { recursive: true })
  expect(components.map(({ purl, licenses, hashes }) => ({ purl, licenses, hashes }))).toEqual([
    { purl: 'pkg:npm/%40scope/limit@7.3.3', licenses: [{ expression: 'MIT OR Apache-2.0' }], hashes: undefined },
    { purl: 'pkg:npm/%40scope/limit@6.0.0', licenses: undefined, hashes: undefined },
    {
      purl: 'pkg:npm/pg@8.23.1',
      licenses: [{ license: { name: 'MIT' } }],
      hashes: [{ alg: 'SHA-512', content: '0102' }],
    },
  ])
})
