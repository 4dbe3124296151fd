/**
 * The fields of a form that its sender has changed. A form is sent whole, and two tabs must not undo each other's changes. A sender
 * that does not say which fields it has changed (`changed` is undefined) changes all of them.
 */
export function onlyChanged<Values extends object>(
  values: Values,
  changed: readonly string[] | undefined,
): Partial<Values> {
  if (changed === undefined) return values
  const entries = Object.entries(values).filter(([name]) => changed.includes(name))
  return Object.fromEntries(entries) as Partial<Values>
}
