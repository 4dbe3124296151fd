/** PostgreSQL's `bigint` comes as text; the ids of the contracts are integers that JavaScript can hold exactly. */
export const integerId = {
  to: (id: number | null) => id,
  from: (text: string | null) => (text === null ? null : Number(text)),
}
