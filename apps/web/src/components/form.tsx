import type { ReactNode } from 'react'
import type { FieldValues } from 'react-hook-form'
import type { Form as FormState, Send } from '../lib/form/use-form.js'

interface FormProps<Values extends FieldValues> {
  form: FormState<Values>
  /** Runs when nothing is wrong; answers what the server says is wrong with the fields. */
  onSubmit: Send<Values>
  /** Runs when the form itself found something wrong, and so sent nothing. */
  onRefused?: () => void
  className?: string
  id?: string
  children: ReactNode
}

/** The element around the fields. After a refused try it says how many fields are wrong, and the first has the focus. */
export function Form<Values extends FieldValues>({
  form,
  onSubmit,
  onRefused,
  className,
  id,
  children,
}: FormProps<Values>) {
  return (
    <form
      id={id}
      ref={form.element}
      noValidate
      onSubmit={event => {
        event.preventDefault()
        void form.submit(onSubmit, onRefused)
      }}
      className={className}
    >
      <p key={form.refusals.tries} role="alert" className="sr-only">
        {form.refusals.faults > 0 && countWords(form.refusals.faults)}
      </p>
      {children}
    </form>
  )
}

const countWords = (faults: number) =>
  faults === 1 ? 'Not sent: one field needs your attention.' : `Not sent: ${faults} fields need your attention.`
