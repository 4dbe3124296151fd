import { setTimeout as sleep } from 'node:timers/promises'

/** Reads a stream as it arrives. */
export class Listener {
  text = ''
  ended = false
  headers!: Headers
  private readonly leaving = new AbortController()
  private reading: Promise<void> = Promise.resolve()

  async open(url: string, token: string, lastId?: string): Promise<void> {
    const headers = { cookie: `holdfast_session=${token}`, ...(lastId ? { 'last-event-id': lastId } : {}) }
    const response = await fetch(url, { headers, signal: this.leaving.signal })
    expect(response.status).toBe(200)
    this.headers = response.headers
    this.reading = this.read(response)
  }

  events(): { id: string; data: { kind: string } }[] {
    return [...this.text.matchAll(/id: (.*)\ndata: (.*)\n\n/g)].map(([, id, data]) => ({
      id: id!,
      data: JSON.parse(data!),
    }))
  }

  async until(condition: (text: string) => boolean): Promise<void> {
    while (!condition(this.text)) {
      if (this.ended) throw new Error(`the stream ended after ${JSON.stringify(this.text)}`)
      await sleep(10)
    }
  }

  async untilEnd(): Promise<void> {
    while (!this.ended) await sleep(10)
  }

  async leave(): Promise<void> {
    this.leaving.abort()
    await this.reading
  }

  private async read(response: Response): Promise<void> {
    const decoder = new TextDecoder()
    try {
      for await (const chunk of response.body!) this.text += decoder.decode(chunk as Uint8Array, { stream: true })
    } catch (error) {
      if (!this.leaving.signal.aborted) throw error
    }
    this.ended = true
  }
}
