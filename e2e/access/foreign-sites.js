import { publicRoutes } from '@holdfast/contracts/routes'
import { BASE_URL } from '../support/environment.js'

/** What browsers send with a write of a page of another site. */
const FOREIGN = [
  { origin: 'https://evil.example' },
  { origin: 'null' },
  { 'sec-fetch-site': 'cross-site' },
  { origin: `${BASE_URL}.evil.example`, 'sec-fetch-site': 'same-site' },
]

/** Sends every write of the product with a person's session from other sites. Answers a line for each that was not refused. */
export async function askForeignSites({ buyer }) {
  const faults = []
  for (const [name, { method, path, access }] of Object.entries(publicRoutes)) {
    if (method === 'GET' || path.startsWith('/api/webhooks/')) continue
    for (const headers of FOREIGN) {
      const { status, body, text } = await buyer.call(method, path.replace(/\{\w+\}/g, '1'), { headers, body: {} })
      const code = access === 'admin' ? 'NOT_FOUND' : 'CROSS_SITE_REQUEST'
      if (body?.code !== code)
        faults.push(`${name} from ${JSON.stringify(headers)} answered ${status}: ${text.slice(0, 160)}`)
    }
  }
  return faults
}
