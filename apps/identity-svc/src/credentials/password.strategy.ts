import { Injectable } from '@nestjs/common'
import { PassportStrategy } from '@nestjs/passport'
import passport from 'passport'
import { Strategy } from 'passport-local'
import type { User } from '../users/user.entity.js'
import type { Browser } from './browser.js'
import { CredentialsService } from './credentials.service.js'

const PASSWORD = 'password'

/** The body that the strategy reads. The route has parsed it, so e-mail and password are strings. */
export interface PasswordRequest {
  readonly body: { readonly email: string; readonly password: string }
  readonly browser: Browser
}

/** Passport's strategy for e-mail and password. */
@Injectable()
export class PasswordStrategy extends PassportStrategy(Strategy, PASSWORD) {
  constructor(private readonly credentials: CredentialsService) {
    super({ usernameField: 'email', passwordField: 'password', passReqToCallback: true, session: false })
  }

  validate({ browser }: PasswordRequest, email: string, password: string): Promise<User | null> {
    return this.credentials.check({ email, password, browser })
  }
}

/** Runs the strategy. Resolves with the user, or null when e-mail or password is wrong. Rejects with the strategy's error. */
export function authenticateByPassword(request: PasswordRequest): Promise<User | null> {
  return new Promise((resolve, reject) => {
    const answer = (error: unknown, user?: User | false | null) => (error ? reject(error) : resolve(user || null))
    // Passport adds functions to the request, so it gets a copy. It calls `next` (here `reject`) for unexpected errors.
    passport.authenticate(PASSWORD, { session: false }, answer)({ ...request }, {}, reject)
  })
}
