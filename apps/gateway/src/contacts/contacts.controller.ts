import { contactInternalRoutes, contactRoutes } from '@holdfast/contracts/contacts'
import { messageInternalRoutes } from '@holdfast/contracts/messages'
import { MAX_RECENT_CONTACTS } from '@holdfast/kernel/users'
import { type Ctx, Route } from '@holdfast/service-kit/http/route'
import { Controller } from '@nestjs/common'
import { People } from '../people/people.js'
import { ServiceCalls } from '../services/service-calls.js'

const { listContacts } = contactRoutes

/** Joins the people whom a user has saved with those of their deals. */
@Controller()
export class ContactsController {
  constructor(
    private readonly calls: ServiceCalls,
    private readonly people: People,
  ) {}

  @Route(listContacts)
  async list(_: unknown, ctx: Ctx<typeof listContacts>) {
    const read = { ...ctx, isRead: true }
    const [saved, ids] = await Promise.all([
      this.calls.call('identity-svc', contactInternalRoutes.listSavedContacts, {}, read),
      this.calls.call('messaging-svc', messageInternalRoutes.listCounterparties, {}, read),
    ])
    const isSaved = new Set(saved.map(({ id }) => id))
    const others = ids.filter(id => !isSaved.has(id)).slice(0, MAX_RECENT_CONTACTS)
    const recent = await Promise.all(others.map(id => this.people.find(id)))
    return { saved, recent: recent.filter(person => person !== null) }
  }
}
