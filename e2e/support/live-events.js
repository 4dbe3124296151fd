import { BASE_URL } from './environment.js'
import { eventually } from './eventually.js'

/** Receives a person's server-sent events until `stop()`. */
export class LiveEvents {
  /** @type {any[]} */
  received = []
  #abort = new AbortController()
  /** Why the stream broke. */
  #error = null

  static async of(person) {
    const live = new LiveEvents()
    const response = await fetch(`${BASE_URL}/api/events`, {
      headers: { cookie: person.cookie, accept: 'text/event-stream' },
      signal: live.#abort.signal,
    })
    if (response.status !== 200) throw new Error(`the live events answered ${response.status}`)
    live.#read(response.body).catch(error => {
      if (error.name !== 'AbortError') live.#error = error
    })
    return live
  }

  /** Resolves with the first event for which `test` is true. Fails when the stream breaks before. */
  receives(what, test) {
    return eventually(what, () => {
      const found = this.received.find(test)
      if (!found && this.#error) throw this.#error
      return found
    })
  }

  stop() {
    this.#abort.abort()
  }

  async #read(stream) {
    let text = ''
    const decoder = new TextDecoder()
    for await (const chunk of stream) {
      text += decoder.decode(chunk, { stream: true })
      const blocks = text.split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) {
        const data = block.split('\n').find(line => line.startsWith('data:'))
        if (data) this.received.push(JSON.parse(data.slice(5)))
      }
    }
  }
}
