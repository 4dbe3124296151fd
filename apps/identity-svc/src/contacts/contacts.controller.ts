import { contactInternalRoutes, contactRoutes } from '@holdfast/contracts/contacts'
import type { Parsed } from '@holdfast/contracts/route'
import { requireUser } from '@holdfast/service-kit/auth/require-user'
import { type Ctx, Route } from '@holdfast/service-kit/http/route'
import { Controller } from '@nestjs/common'
import { ContactsService } from './contacts.service.js'

const { addContact, removeContact } = contactRoutes
const { listSavedContacts } = contactInternalRoutes

@Controller()
export class ContactsController {
  constructor(private readonly contacts: ContactsService) {}

  @Route(listSavedContacts)
  list(_: unknown, { actor }: Ctx<typeof listSavedContacts>) {
    return this.contacts.list(requireUser(actor).id)
  }

  @Route(addContact)
  add({ body }: Parsed<typeof addContact>, { actor }: Ctx<typeof addContact>) {
    return this.contacts.add(actor.id, body.userId)
  }

  @Route(removeContact)
  remove({ params }: Parsed<typeof removeContact>, { actor }: Ctx<typeof removeContact>) {
    return this.contacts.remove(actor.id, params.userId)
  }
}
