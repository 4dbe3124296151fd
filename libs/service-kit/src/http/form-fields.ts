const SEPARATOR = 0x26 // &

/** Whether a form (`application/x-www-form-urlencoded`) has more fields than allowed. It reads only the bytes between the fields. */
export function hasMoreFormFields(body: Buffer, most: number): boolean {
  let fields = 1
  for (let at = body.indexOf(SEPARATOR); at !== -1; at = body.indexOf(SEPARATOR, at + 1))
    if (++fields > most) return true
  return false
}
