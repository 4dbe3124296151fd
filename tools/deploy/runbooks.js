// Reads docs/runbooks.

import fs from 'node:fs'
import path from 'node:path'
import { ROOT } from '../dev/settings.js'

const FOLDER = path.join(ROOT, 'docs/runbooks')
/** The text of each page by its name. */
export const RUNBOOKS = Object.fromEntries(
  fs.readdirSync(FOLDER).map(page => [page, fs.readFileSync(path.join(FOLDER, page), 'utf8')]),
)

/** The addresses of the headings of a page, as links name them. */
export const anchorsOf = text =>
  [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )

/** The blocks of a page in a language, which may stand in a list. */
export const blocksOf = (text, language) =>
  [...text.matchAll(new RegExp(`^ *\`\`\`${language}\\n(.*?)^ *\`\`\``, 'gms'))].map(([, block]) => block)

/** The queries of a page, one a line in its PromQL blocks. */
export const queriesOf = text => blocksOf(text, 'promql').flatMap(block => block.trim().split('\n'))
