import { identityAdminRoutes } from '@holdfast/contracts/admin-users'
import { userRoutes } from '@holdfast/contracts/users'
import { verificationRoutes } from '@holdfast/contracts/verification'
import type { Member } from './member.js'
import type { Members } from './open-accounts.js'
import { DOCUMENTS } from './people.js'
import { rasterise } from './pictures.js'

/** The drawings of an identity card and of a face. */
export const DOCUMENT_PICTURES = ['id-front', 'id-back', 'selfie'] as const

/** Sends documents of some people, and rejects those of which `DOCUMENTS` has a reason. */
export async function sendDocuments(members: Members): Promise<void> {
  const [idFrontImage = '', idBackImage = '', selfieImage = ''] = await rasterise(DOCUMENT_PICTURES)
  for (const name of Object.keys(DOCUMENTS) as (keyof typeof DOCUMENTS)[]) {
    const member = members[name]
    if ((await statusOf(member)) === 'pending')
      await member.call(verificationRoutes.submitVerification, { body: { idFrontImage, idBackImage, selfieImage } })
    const reason = DOCUMENTS[name]
    if (reason !== null && (await statusOf(member)) === 'submitted')
      await members.ines.call(identityAdminRoutes.decideVerification, {
        params: { userId: member.id },
        body: { decision: 'rejected', reason },
      })
  }
}

const statusOf = async (member: Member) => (await member.call(userRoutes.getCurrentUser, {})).verificationStatus
