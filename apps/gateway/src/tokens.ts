/** Injection tokens of what is not a class. */
export const GATEWAY_CONFIG = Symbol('gateway configuration')
export const EVENT_TRANSPORT = Symbol('event transport')
