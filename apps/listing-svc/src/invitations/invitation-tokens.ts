import { hashOfToken, newToken } from '@holdfast/service-kit/auth/secret-token'
import type { Queryable } from '@holdfast/service-kit/database/queryable'

/** Makes a token for an invitation's link. Only its hash is stored. An invitation has one for each link that was made or mailed. */
export async function makeToken(dbTx: Queryable, invitationId: string): Promise<string> {
  const token = newToken()
  await dbTx.query('INSERT INTO invitation_token (token_hash, invitation_id) VALUES ($1, $2)', [
    hashOfToken(token),
    invitationId,
  ])
  return token
}
