import { createHash, randomBytes } from 'node:crypto'

/** 256 random bits cannot be guessed, so a fast hash of the token is sufficient. */
const TOKEN_BYTES = 32

/** A new secret token, as base64url for a cookie or a link. */
export const newToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url')

/** The hash of a token that a table keeps. The gateway computes the same hash from the text of the session's cookie. */
export const hashOfToken = (token: string): Buffer => createHash('sha256').update(token).digest()
