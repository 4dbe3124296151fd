/** What the calls about customers, cards and subscriptions have in common: refusals, and attempts with a key of their own. */
import { AttemptFailed, callProvider, isRefusal, isStoredError, rethrow } from '../provider/stripe-calls.js'

/** Turns an answer that the provider repeats under the same key into `AttemptFailed`. */
export async function attempted<T>(create: () => Promise<T>): Promise<T> {
  try {
    return await create()
  } catch (error) {
    if (isRefusal(error) || isStoredError(error)) throw new AttemptFailed((error as Error).message)
    rethrow(error)
  }
}

/**
 * Makes a change that the provider refuses when it was made before, or when the object has ended. The refusal has no code that tells this
 * from a wrong request. So after a refusal the object is read.
 *
 * @param isOver reads the object, and answers whether nothing is left to change
 * @returns false when the change was refused and nothing is left to change
 * @throws the refusal, when something is left to change; DomainError `PAYMENT_PROVIDER_UNAVAILABLE`
 */
export async function changeUnlessOver(
  change: () => Promise<unknown>,
  isOver: () => Promise<boolean>,
): Promise<boolean> {
  try {
    await callProvider(change)
    return true
  } catch (error) {
    if (isRefusal(error) && (await callProvider(isOver))) return false
    throw error
  }
}
