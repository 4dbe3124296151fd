/** A webhook of ours: its address, and the secret that the service expects. */
export interface Webhook {
  readonly url: string
  readonly secret: string
}

/** What became of the events that were posted. */
export interface Posted {
  readonly accepted: number
  /** A line for each event that was not accepted: which it is, and why. */
  readonly refused: readonly string[]
}

/** Posts an event to a webhook. @param signature its header @returns why the event was not accepted; null when it was */
export async function postEvent(
  url: string,
  payload: string,
  signature: Readonly<Record<string, string>>,
): Promise<string | null> {
  const headers = { 'content-type': 'application/json', ...signature }
  const response = await fetch(url, { method: 'POST', body: payload, headers })
  await response.body?.cancel()
  return response.ok ? null : `the service answered ${response.status}`
}
