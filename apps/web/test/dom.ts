import { JSDOM } from 'jsdom'

/** What Node has, too, and what a page must have from its DOM, since the DOM accepts no other. */
const OF_THE_DOM = new Set([
  'AbortController',
  'AbortSignal',
  'Blob',
  'CloseEvent',
  'CustomEvent',
  'DOMException',
  'Event',
  'EventTarget',
  'File',
  'FormData',
  'MessageEvent',
  'localStorage',
  'navigator',
  'sessionStorage',
])
/** What a page and its tests reach through `window` is Node's global object itself, so that fake timers and stubs hold for both. */
const ITSELF = ['window', 'self', 'top', 'parent', 'globalThis', 'global']

const { window } = new JSDOM('<!doctype html>', { url: 'http://localhost/', pretendToBeVisual: true })

const NAMES = [...Object.getOwnPropertyNames(window), 'addEventListener', 'removeEventListener', 'dispatchEvent']
for (const name of NAMES) {
  if (ITSELF.includes(name) || (name in globalThis && !OF_THE_DOM.has(name))) continue
  const value = window[name as keyof typeof window] as unknown
  const isPlainFunction = typeof value === 'function' && !value.prototype
  Object.defineProperty(globalThis, name, {
    configurable: true,
    get: () => (isPlainFunction ? bound : window[name as keyof typeof window]),
    set: (other: unknown) =>
      Object.defineProperty(globalThis, name, { value: other, configurable: true, writable: true }),
  })
  const bound = isPlainFunction ? value.bind(window) : undefined
}
for (const name of ITSELF)
  Object.defineProperty(globalThis, name, { value: globalThis, configurable: true, writable: true })
