/** How long the load of a peak warms up, and how long it is counted. */
export const WARM_UP_SECONDS = 15
export const PEAK_SECONDS = 15
