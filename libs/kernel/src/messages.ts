/** Limits of the chat. */

export const MAX_MESSAGE_LENGTH = 4000
