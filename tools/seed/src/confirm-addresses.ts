import { userRoutes } from '@holdfast/contracts/users'
import { eventually } from './eventually.js'
import type { Member } from './member.js'
import type { Members } from './open-accounts.js'
import type { Sandbox } from './sandbox.js'

/** Confirms the address of every person of the demo, with the link in their mailbox. */
export async function confirmAddresses(members: Members, sandbox: Sandbox): Promise<void> {
  await Promise.all(Object.values(members).map(member => confirm(member, sandbox)))
}

async function confirm(member: Member, sandbox: Sandbox): Promise<void> {
  const { emailConfirmed, email } = await member.call(userRoutes.getCurrentUser, {})
  if (emailConfirmed) return
  await eventually(`the mail to ${email} arrived`, async () => {
    const token = await sandbox.mailedToken(email, 'Confirm your e-mail address')
    if (token === null) return false
    await member.call(userRoutes.confirmEmail, { body: { token } })
    return true
  })
}
