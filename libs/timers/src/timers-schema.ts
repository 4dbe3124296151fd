/** The schema of BullMQ's own tables. A file of its own, because the migrations need it and none of the code that runs a queue. */
export const TIMERS_SCHEMA = 'timers'
