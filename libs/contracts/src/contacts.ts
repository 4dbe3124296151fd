/** The people whom a user wants to find again. Served by identity-svc; the gateway adds those of past deals. */
import { MAX_CONTACTS, MAX_RECENT_CONTACTS } from '@holdfast/kernel/users'
import { z } from 'zod'
import { UserIdParams } from './fields.js'
import { route } from './route.js'
import { PublicUser } from './users.js'

export const contactRoutes = {
  listContacts: route({
    method: 'GET',
    path: '/api/contacts',
    access: 'user',
    handling: 'joined',
    summary: 'The people whom the user has saved, latest first, and the other people of their latest deals',
    response: z.object({
      saved: z.array(PublicUser).max(MAX_CONTACTS),
      recent: z.array(PublicUser).max(MAX_RECENT_CONTACTS),
    }),
  }),
  addContact: route({
    method: 'POST',
    path: '/api/contacts',
    access: 'user',
    record: { kind: 'profile', namedBy: 'userId' },
    summary: 'Save a person. They are not notified',
    status: 204,
    body: UserIdParams,
    errors: ['NOT_FOUND', 'RATE_LIMITED'],
  }),
  removeContact: route({
    method: 'DELETE',
    path: '/api/contacts/{userId}',
    access: 'user',
    record: { kind: 'contact' },
    summary: 'Remove a person from the saved ones',
    status: 204,
    params: UserIdParams,
  }),
} as const

export const contactInternalRoutes = {
  listSavedContacts: route({
    method: 'GET',
    path: '/internal/contacts',
    access: { internal: ['gateway'] },
    summary: 'The people whom the actor has saved, latest first',
    response: z.array(PublicUser).max(MAX_CONTACTS),
    errors: ['UNAUTHENTICATED'],
  }),
} as const
