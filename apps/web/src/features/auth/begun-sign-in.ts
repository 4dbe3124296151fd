import { browserStore, orUndefined } from '../../lib/browser-store.js'

const NAME = 'holdfast:provider-sign-in'

/** A sign-in that goes on at a provider's page. */
export interface BegunSignIn {
  /** It shows the server that the browser which finishes is the one that began. */
  readonly secret: string
  /** The page of the web app to which the sign-in leads. */
  readonly next: string
}

/** Keeps a sign-in for this tab, which the provider leads back. Does nothing where storage is forbidden. */
export function keepSignIn(begun: BegunSignIn): void {
  orUndefined(() => browserStore()?.setItem(NAME, JSON.stringify(begun)))
}

/** The sign-in that this tab began; null without one. It is forgotten: a reload must not finish it again. */
export function takeSignIn(): BegunSignIn | null {
  const text = orUndefined(() => browserStore()?.getItem(NAME))
  orUndefined(() => browserStore()?.removeItem(NAME))
  return text ? (JSON.parse(text) as BegunSignIn) : null
}
