import { browserStore, orUndefined } from './browser-store.js'

const PREFIX = 'holdfast:draft:'

/** Under which name the tab keeps a draft; never another person's. */
export const draftName = (userId: string, form: string) => `${PREFIX}${userId}:${form}`

let signOuts = 0

/** How often somebody has signed out of this page: a form from before must not keep its draft after. */
export const countSignOuts = () => signOuts

/** Forgets every draft of this tab, and those of forms that are still open: who signs out leaves nothing behind. */
export function forgetDrafts(): void {
  signOuts++
  orUndefined(() => {
    const store = browserStore()
    for (const name of Object.keys(store ?? {})) if (name.startsWith(PREFIX)) store?.removeItem(name)
  })
}
