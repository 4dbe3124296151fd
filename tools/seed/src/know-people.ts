import { contactRoutes } from '@holdfast/contracts/contacts'
import { userRoutes } from '@holdfast/contracts/users'
import type { Members } from './open-accounts.js'

/** Maya has saved two sellers, and Jonas has blocked one person. Saving and blocking twice change nothing. */
export async function knowPeople({ maya, theo, ruth, jonas, emil }: Members): Promise<void> {
  for (const { id } of [ruth, theo]) await maya.call(contactRoutes.addContact, { body: { userId: id } })
  await jonas.call(userRoutes.blockUser, { body: { userId: emil.id } })
}
