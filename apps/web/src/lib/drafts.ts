import { browserStore, orUndefined } from './browser-store.js'

const PREFIX = 'holdfast:draft:'

/** Under which name the tab keeps a draft: another person, and another version of the form, have another name. */
export const draftName = (userId: string, form: string, version: number) => `${PREFIX}${userId}:${form}:v${version}`

let signOuts = 0

/** How often a person signed out in this tab. A form that was open before must not keep its draft afterwards. */
export const countSignOuts = () => signOuts

/** Forgets every draft of this tab, and those of forms that are still open. */
export function forgetDrafts(): void {
  signOuts++
  orUndefined(() => {
    const store = browserStore()
    for (const name of Object.keys(store ?? {})) if (name.startsWith(PREFIX)) store?.removeItem(name)
  })
}
