import { createHash, randomBytes } from 'node:crypto'

/** 256 bits: nobody guesses a token, so a plain fast hash of it is enough. */
const TOKEN_BYTES = 32

/** A session's secret: what the cookie holds, as base64url. */
export const newSessionToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url')

/** What the table holds of a token. The gateway makes the same hash of a cookie, over its text. */
export const hashOfToken = (token: string): Buffer => createHash('sha256').update(token).digest()
