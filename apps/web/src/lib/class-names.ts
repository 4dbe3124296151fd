/** Joins what is truthy into a class attribute. */
export const classes = (...names: (string | false | null | undefined)[]): string => names.filter(Boolean).join(' ')
