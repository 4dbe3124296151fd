import { BASE_URL } from './environment.js'
import { eventually } from './eventually.js'

/** Listens to a person's server-sent events until `stop()`. */
export class LiveEvents {
  heard = []
  #abort = new AbortController()

  static async of(person) {
    const live = new LiveEvents()
    const response = await fetch(`${BASE_URL}/api/events`, {
      headers: { cookie: person.cookie, accept: 'text/event-stream' },
      signal: live.#abort.signal,
    })
    if (response.status !== 200) throw new Error(`the live events answered ${response.status}`)
    live.#read(response.body).catch(error => {
      if (error.name !== 'AbortError') live.error = error
    })
    return live
  }

  /** Resolves with the event that the test is looking for. */
  hears(what, test) {
    return eventually(what, () => this.heard.find(test))
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
      text = blocks.pop()
      for (const block of blocks) {
        const data = block.split('\n').find(line => line.startsWith('data:'))
        if (data) this.heard.push(JSON.parse(data.slice(5)))
      }
    }
  }
}
