/** The challenge that a browser says a passkey has signed (`clientDataJSON`, in base64url); null when it cannot be read. */
export function challengeIn(clientDataJSON: string): string | null {
  let data: unknown
  try {
    data = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString())
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return null
  }
  const challenge = typeof data === 'object' && data !== null && 'challenge' in data ? data.challenge : null
  return typeof challenge === 'string' ? challenge : null
}

/** The user handle that passkeys of a user hold: the bytes of the user's id. It says nothing about the person. */
export const userHandleOf = (userId: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.from(userId.replaceAll('-', ''), 'hex'))
