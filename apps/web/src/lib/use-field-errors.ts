import { type RefObject, useRef, useState } from 'react'

type Errors = Readonly<Record<string, string | undefined>>

interface FieldErrors<E extends Errors> {
  /** Goes on the form whose fields have the names of the errors. */
  readonly form: RefObject<HTMLFormElement | null>
  readonly errors: Partial<E>
  /** Tells what a try has found, and leads to the first of it. Answers whether there was anything. */
  readonly tell: (found: Partial<E>) => boolean
  /** What is being put right is not told any longer; the next try tells what is still wrong. */
  readonly forgive: (fields: readonly string[]) => void
}

/** What is wrong with the fields of a form, told after somebody tried to send it. */
export function useFieldErrors<E extends Errors>(): FieldErrors<E> {
  const form = useRef<HTMLFormElement>(null)
  const [errors, setErrors] = useState<Partial<E>>({})
  function tell(found: Partial<E>) {
    setErrors(found)
    const first = Object.keys(found)[0]
    if (first !== undefined) form.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus()
    return first !== undefined
  }
  function forgive(fields: readonly string[]) {
    setErrors(before => ({ ...before, ...Object.fromEntries(fields.map(field => [field, undefined])) }))
  }
  return { form, errors, tell, forgive }
}
