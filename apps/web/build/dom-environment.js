import { TestEnvironment } from 'jest-environment-jsdom'

/** A DOM for tests, with what browsers have and jsdom lacks: Node's own fetch types, and what Radix asks of elements. */
export default class DomEnvironment extends TestEnvironment {
  constructor(config, context) {
    super(config, context)
    const { global } = this
    // All of one kind: a Request refuses the AbortSignal of another realm.
    Object.assign(global, { TextEncoder, TextDecoder, Request, Response, Headers, AbortController, AbortSignal })
    global.Element.prototype.hasPointerCapture = () => false
    global.Element.prototype.setPointerCapture = () => {}
    global.Element.prototype.releasePointerCapture = () => {}
    global.Element.prototype.scrollIntoView = () => {}
    // jsdom lays nothing out, so nothing comes into view.
    global.IntersectionObserver = class {
      observe() {}
      disconnect() {}
    }
    global.matchMedia = () => ({ matches: false, addEventListener: () => {}, removeEventListener: () => {} })
  }
}
