/**
 * What a form that was sent whole changes: the fields that its sender has changed, so that two tabs do not undo each other's changes. A
 * sender that does not say which (`changed` is undefined) changes all of them.
 */
export function onlyChanged<Values extends object>(
  values: Values,
  changed: readonly string[] | undefined,
): Partial<Values> {
  if (changed === undefined) return values
  const entries = Object.entries(values).filter(([name]) => changed.includes(name))
  return Object.fromEntries(entries) as Partial<Values>
}
