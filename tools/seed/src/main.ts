/**
 * Fills a new product with people, items and deals, through the same calls that a browser makes. It prints its progress, line
 * by line, and errors to stderr. Started again after a failure it does what is missing.
 */
import { rename, writeFile } from 'node:fs/promises'
import { askForRefund } from './ask-for-refund.js'
import { readConfig } from './config.js'
import { confirmAddresses } from './confirm-addresses.js'
import { DEMO_DEALS } from './demo-deals.js'
import { GOODS } from './goods.js'
import { knowPeople } from './know-people.js'
import { makePayouts } from './make-payouts.js'
import { offerAside } from './offer-aside.js'
import { offerGoods } from './offer-goods.js'
import { openAccounts } from './open-accounts.js'
import { openDeals } from './open-deals.js'
import { appointAdmin, verify } from './operator-commands.js'
import { ADMINS, DEMO_PASSWORD, PEOPLE, VERIFIED } from './people.js'
import { Sandbox } from './sandbox.js'
import { sendDocuments } from './send-documents.js'
import { writeEnquiries } from './write-enquiries.js'

const note = (line: string) => process.stdout.write(`${line}\n`)

async function fillIn(): Promise<void> {
  const { gatewayUrl, sandboxUrl, demoFile, identityDatabaseUrl } = readConfig(process.env)
  note('people')
  const members = await openAccounts(gatewayUrl)
  const sandbox = new Sandbox(sandboxUrl)
  await Promise.all([
    ...ADMINS.map(name => appointAdmin(PEOPLE[name].email, identityDatabaseUrl)),
    ...VERIFIED.map(name => verify(PEOPLE[name].email, identityDatabaseUrl)),
    confirmAddresses(members, sandbox),
  ])
  await Promise.all([sendDocuments(members), knowPeople(members), writeEnquiries(members)])
  await offerAside(members)
  const listings = await offerGoods(members, done => note(`${done} of ${GOODS.length} items`))
  await openDeals(members, listings, sandbox, done => note(`${done} of ${DEMO_DEALS.length} deals`))
  note('payouts')
  await Promise.all([makePayouts(members, listings, sandbox), askForRefund(members, listings)])
  const accounts = Object.values(PEOPLE).map(({ email, who }) => ({ email, password: DEMO_PASSWORD, who }))
  // Renamed when complete: the launcher takes the file's existence for success.
  await writeFile(`${demoFile}.part`, JSON.stringify({ accounts }, null, 2))
  await rename(`${demoFile}.part`, demoFile)
}

try {
  await fillIn()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
  process.exitCode = 1
}
