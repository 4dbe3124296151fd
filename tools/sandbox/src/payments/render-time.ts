/** The provider's times are whole seconds since the epoch. */
export const seconds = (ms: number): number => Math.floor(ms / 1000)
