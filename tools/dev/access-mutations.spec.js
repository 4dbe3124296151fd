import fs from 'node:fs'
import path from 'node:path'
import { MUTATIONS } from './access/mutations.js'
import { ROOT } from './settings.js'

// A run removes a few of them, so without this an outdated one would be found on another day.
it.each(MUTATIONS)('the guard "$name" is in its file once', ({ file, find }) => {
  expect(fs.readFileSync(path.join(ROOT, file), 'utf8').split(find)).toHaveLength(2)
})
