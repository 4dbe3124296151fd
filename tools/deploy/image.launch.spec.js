// The folder of an image is filled from the built packages, and searched for what its compiled packages refer to.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { PACKED } from '../dev/built.js'
import { fillImage } from './image.js'

/** Static and dynamic imports of a file beside, and files that are found by their place beside the code. */
const REFERENCES = [
  /\b(?:from|import)\s*\(?\s*['"](\.[^'"]+)['"]/g,
  /new URL\(\s*['"](\.[^'"]+)['"]\s*,\s*import\.meta\.url/g,
]

const referencesIn = text =>
  REFERENCES.flatMap(pattern => [...text.matchAll(pattern)].map(([, reference]) => reference))

let folder
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }))

it.each(['migrate', 'escrow-svc', 'gateway'])(
  'the image of %s has every file that its compiled packages refer to',
  async app => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-image-'))
    await fillImage(app, folder)
    const files = fs
      .readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter(file => file.endsWith('.js') && !file.startsWith(PACKED))
    const references = files.flatMap(file =>
      referencesIn(fs.readFileSync(path.join(folder, file), 'utf8')).map(to => ({ file, to })),
    )
    expect(references.length).toBeGreaterThan(100)
    const missing = references.filter(({ file, to }) => !fs.existsSync(path.join(folder, path.dirname(file), to)))
    expect(missing).toEqual([])
  },
)
