import { cleanup, configure } from '@testing-library/react'
import { dismissToast } from '../src/lib/toast.js'
import { expectContractsKept, watchContracts } from './fake-server.js'
import { forgetAnswers } from './show.js'

// What browsers have and jsdom lacks.
Element.prototype.hasPointerCapture = () => false
Element.prototype.setPointerCapture = () => {}
Element.prototype.releasePointerCapture = () => {}
Element.prototype.scrollIntoView = () => {}
// jsdom lays nothing out, so nothing comes into view.
globalThis.IntersectionObserver = class {
  observe() {}
  disconnect() {}
} as unknown as typeof IntersectionObserver
globalThis.matchMedia = () =>
  ({ matches: false, addEventListener: () => {}, removeEventListener: () => {} }) as unknown as MediaQueryList

// Long enough for a busy machine. A test that passes never waits this long.
configure({ asyncUtilTimeout: 60_000 })

// The test files of a worker share modules and page. So hooks are registered here: this file runs again for each of them, and a
// module that they import does not.
beforeEach(watchContracts)
afterEach(async () => {
  try {
    expectContractsKept()
  } finally {
    cleanup()
    // What a test wrote there as the server does.
    document.head.replaceChildren()
    dismissToast()
    await forgetAnswers()
  }
})
