/** The form of a username. Few pages need it, so it is apart from the other rules of users. */

export const USERNAME_PATTERN = /^[A-Za-z0-9][A-Za-z0-9_.-]{2,29}$/
/** The same in words. */
export const USERNAME_FORM = '3 to 30 letters, digits, dots, hyphens or underscores; a letter or digit first'
