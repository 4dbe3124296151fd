import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { emptyDataDir } from './data-dir.js'
import { diskSentence } from './preflight.js'
import { loadSecrets } from './secrets.js'
import { TOPOLOGY } from './topology.js'

let folder
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-data-'))
})
afterEach(() => fs.rmSync(folder, { recursive: true }))

describe('the secrets of a data folder', () => {
  it('are made once, stay the same, and are readable by their owner alone', () => {
    const first = loadSecrets(folder)
    expect(loadSecrets(folder)).toEqual(first)
    expect(fs.statSync(path.join(folder, 'secrets.json')).mode & 0o777).toBe(0o600)
    expect(Object.keys(first.rolePasswords)).toEqual(TOPOLOGY.roles)
    expect(Object.keys(first.actorKeys)).toEqual(TOPOLOGY.actorPairs)
    for (const key of Object.values(first.actorKeys)) expect(Buffer.from(key, 'base64url')).toHaveLength(32)
  })

  it('are completed when one is missing, without changing the others', () => {
    const { carrierApiKey, ...kept } = loadSecrets(folder)
    fs.writeFileSync(path.join(folder, 'secrets.json'), JSON.stringify(kept))
    const completed = loadSecrets(folder)
    expect(completed).toMatchObject(kept)
    expect(completed.carrierApiKey).not.toBe(carrierApiKey)
  })
})

describe('emptying a data folder', () => {
  it("removes the product's own files and no others", () => {
    loadSecrets(folder)
    fs.mkdirSync(path.join(folder, 'postgres'))
    fs.mkdirSync(path.join(folder, 'sandbox'))
    fs.writeFileSync(path.join(folder, 'thesis.txt'), 'years of work')
    emptyDataDir(folder)
    expect(fs.readdirSync(folder)).toEqual(['thesis.txt'])
  })
})

describe('a disk that cannot be written', () => {
  it.each(['EROFS', 'EACCES', 'ENOSPC', 'ENOTDIR'])('is explained in one sentence for %s', code => {
    const sentence = diskSentence('/srv/data', Object.assign(new Error(code), { code }))
    expect(sentence).toMatch(
      /^The data folder \/srv\/data [^.]+ \([A-Z]+\): choose another DATA_DIR, or put that right\.$/,
    )
  })

  it('is thrown as it is when the reason is not known', () => {
    const fault = Object.assign(new Error('EIO'), { code: 'EIO' })
    expect(() => diskSentence('/srv/data', fault)).toThrow(fault)
  })
})
