import { Injectable } from '@nestjs/common'
import { PassportStrategy } from '@nestjs/passport'
import passport from 'passport'
import { Strategy } from 'passport-local'
import type { User } from '../users/user.entity.js'
import { CredentialsService } from './credentials.service.js'

const PASSWORD = 'password'

/** What the strategy reads: parsed by the route before, so both are strings. */
export interface PasswordRequest {
  readonly body: { readonly email: string; readonly password: string }
  readonly clientIp: string | null
}

/** Finds out who somebody is by e-mail and password. */
@Injectable()
export class PasswordStrategy extends PassportStrategy(Strategy, PASSWORD) {
  constructor(private readonly credentials: CredentialsService) {
    super({ usernameField: 'email', passwordField: 'password', passReqToCallback: true, session: false })
  }

  validate({ clientIp }: PasswordRequest, email: string, password: string): Promise<User | null> {
    return this.credentials.check({ email, password, clientIp })
  }
}

/** Runs the strategy: the user, or null when there is none with this e-mail and password. What it throws is passed on. */
export function authenticateByPassword(request: PasswordRequest): Promise<User | null> {
  return new Promise((resolve, reject) => {
    const answer = (error: unknown, user?: User | false | null) => (error ? reject(error) : resolve(user || null))
    // Passport was made for Express: it hangs functions on the request and calls `next` for what it cannot decide.
    passport.authenticate(PASSWORD, { session: false }, answer)({ ...request }, {}, reject)
  })
}
