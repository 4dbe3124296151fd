const ALL = [
  'Date',
  'clearImmediate',
  'clearInterval',
  'clearTimeout',
  'hrtime',
  'nextTick',
  'performance',
  'queueMicrotask',
  'setImmediate',
  'setInterval',
  'setTimeout',
] as const

/** Fakes these timers alone, where Jest can only be told which ones it shall not fake. */
export function fakeOnly(...names: readonly (typeof ALL)[number][]): void {
  jest.useFakeTimers({ doNotFake: ALL.filter(name => !names.includes(name)) })
}
