/** Marks the element of a row that takes the focus, for the keys of the console. */
export const ROW = { 'data-console-row': '' } as const
