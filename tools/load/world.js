import fs from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { BUYERS, preparePeopleAndListings, sessionToken } from '../bench/prepare.js'
import { ownerUrl } from '../dev/environment.js'
import { phase } from '../dev/output.js'
import { startScratchProduct } from '../dev/scratch-product.js'
import { loadSecrets } from '../dev/secrets.js'

/**
 * The product under load: the one at BASE_URL, or one of its own that is removed afterwards, with people and listings as the bench makes
 * them. Answers `{ baseUrl, peopleFile, isOurs, stop }`; the file has the people who buy.
 */
export async function startWorld(processes, undo, { baseUrl, peopleFile }) {
  if (baseUrl) return { baseUrl, peopleFile: path.resolve(peopleFile), isOurs: false, stop: async () => {} }
  const product = await startScratchProduct(processes, undo, 'load', ['--no-demo'])
  const login = ownerUrl({ secrets: loadSecrets(product.dataDir), ports: product.ports })
  const database = new pg.Pool({ connectionString: login })
  await phase('Preparing people and listings', async () => {
    await preparePeopleAndListings(database)
    await database.query(SIGN_LISTINGS)
  })
  await database.end()
  const file = path.join(product.dataDir, 'people.json')
  const people = Array.from({ length: BUYERS }, (_, number) => ({ session: sessionToken(number) }))
  fs.writeFileSync(file, JSON.stringify(people))
  return { baseUrl: product.baseUrl, peopleFile: file, isOurs: true, stop: product.stop }
}

/** What sellers sign when they offer an item. Without it nobody can buy it. */
const SIGN_LISTINGS = `INSERT INTO listing.legal_acceptance (id, listing_id, signer_id, signed_as, agreements_version, terms_accepted,
    escrow_agreement, harmless_clause, digital_signature, signature_date, received_at)
  SELECT gen_random_uuid(), id, seller_id, 'seller', '2026-11', true, true, true, 'Bench Person', '2026-11-01', now() FROM listing.listing`
