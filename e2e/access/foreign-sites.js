import { publicRoutes } from '@holdfast/contracts/routes'
import { BASE_URL } from '../support/environment.js'

/** What browsers send with a write of a page of another site. */
const FOREIGN = [
  { origin: 'https://evil.example' },
  { origin: 'null' },
  { 'sec-fetch-site': 'cross-site' },
  { origin: `${BASE_URL}.evil.example`, 'sec-fetch-site': 'same-site' },
]

/** A well-formed id, so that a route that were to look at it would not refuse it. */
const idOfNothing = path =>
  /(transactions|disputes)\/\{/.test(path) ? '999999999' : '01900000-0000-7000-8000-000000000000'

/**
 * Sends every write of the product from other sites, with the session of somebody who may send it from ours: those of the console with
 * that of an admin. Answers a line for each that was not refused.
 */
export async function askForeignSites({ buyer, admin }) {
  const faults = []
  for (const [name, { method, path, access }] of Object.entries(publicRoutes)) {
    if (method === 'GET' || path.startsWith('/api/webhooks/')) continue
    for (const headers of FOREIGN) {
      const person = access === 'admin' ? admin : buyer
      const at = path.replace(/\{\w+\}/g, idOfNothing(path))
      const { status, body, text } = await person.call(method, at, { headers, body: {} })
      const code = access === 'admin' ? 'NOT_FOUND' : 'CROSS_SITE_REQUEST'
      if (body?.code !== code)
        faults.push(`${name} from ${JSON.stringify(headers)} answered ${status}: ${text.slice(0, 160)}`)
    }
  }
  return faults
}
