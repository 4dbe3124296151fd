// What the pages of docs/runbooks refer to.

import { blocksOf } from '../../e2e/support/runbooks.js'

/** The addresses of the headings of a page, as links name them. */
export const anchorsOf = text =>
  [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )

/** The queries of a page, one a line in its PromQL blocks. */
export const queriesOf = text => blocksOf(text, 'promql').flatMap(block => block.trim().split('\n'))
