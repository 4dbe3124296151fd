import fs from 'node:fs'
import path from 'node:path'
import { BUYERS, preparePeopleAndListings, sessionToken, signListings } from '../bench/prepare.js'
import { phase } from '../dev/output.js'
import { ownerPool } from '../dev/owner-pool.js'
import { startScratchProduct } from '../dev/scratch-product.js'

/**
 * The product under load: the one at BASE_URL, or one of its own that is removed afterwards, with people and listings as the bench makes
 * them. Answers `{ baseUrl, peopleFile, isOurs, stop }`; the file has the people who buy.
 */
export async function startWorld(processes, undo, { baseUrl, peopleFile }) {
  if (baseUrl) return { baseUrl, peopleFile: path.resolve(peopleFile), isOurs: false, stop: async () => {} }
  const product = await startScratchProduct(processes, undo, 'load', ['--no-demo'])
  const database = ownerPool(product, 1)
  await phase('Preparing people and listings', async () => {
    await preparePeopleAndListings(database)
    await signListings(database)
  })
  await database.end()
  const file = path.join(product.dataDir, 'people.json')
  const people = Array.from({ length: BUYERS }, (_, number) => ({ session: sessionToken(number) }))
  fs.writeFileSync(file, JSON.stringify(people))
  return { baseUrl: product.baseUrl, peopleFile: file, isOurs: true, stop: product.stop }
}
