import {
  PERSONAL_DATA_PARTS,
  type PersonalDataService,
  personalDataInternalRoutes,
} from '@holdfast/contracts/personal-data'
import { EXPORT_VERSION } from '@holdfast/kernel/account'
import { assert } from '@holdfast/kernel/assert'
import type { UserContext } from '../deals/deals.service.js'
import type { ServiceCalls } from '../services/service-calls.js'

const { readPersonalData } = personalDataInternalRoutes
/** The most pages of one part: two million items. A cursor that does not move would otherwise be read for ever. */
const MAX_PAGES = 10_000

/**
 * The text of a user's export, piece by piece: a page is read when the pieces before it were sent, so that an export of any size needs
 * the memory of one page. It ends with an error when a service does not answer; the download is then cut off.
 */
export async function* exportText(calls: ServiceCalls, context: UserContext, now: Date): AsyncGenerator<string> {
  const head = { format: 'holdfast-personal-data', version: EXPORT_VERSION, exportedAt: now.toISOString() }
  yield JSON.stringify(head, null, 1).slice(0, -2)
  for (const [service, parts] of Object.entries(PERSONAL_DATA_PARTS) as [PersonalDataService, readonly string[]][]) {
    for (const part of parts) yield* partText(calls, context, service, part)
  }
  yield '\n}\n'
}

async function* partText(
  calls: ServiceCalls,
  context: UserContext,
  service: PersonalDataService,
  part: string,
): AsyncGenerator<string> {
  yield `,\n ${JSON.stringify(part)}: [`
  let after: string | undefined
  for (let page = 0, count = 0; ; page++) {
    assert(page < MAX_PAGES, `the export of ${part} does not end`)
    const query = after === undefined ? { part } : { part, after }
    const { items, next } = await calls.call(service, readPersonalData, { query }, { ...context, isRead: true })
    if (items.length > 0)
      yield `${count === 0 ? '' : ','}\n${items.map(item => `  ${JSON.stringify(item)}`).join(',\n')}`
    count += items.length
    if (next === null) {
      yield count === 0 ? ']' : '\n ]'
      return
    }
    after = next
  }
}
