import { type RefObject, useEffect, useRef, useState } from 'react'
import {
  type DefaultValues,
  type FieldErrors,
  type FieldValues,
  type Path,
  type PathValue,
  useForm as useHookForm,
} from 'react-hook-form'

/** What is wrong, by field; a field that is right is missing or undefined. */
export type Faults<Values> = { readonly [Name in keyof Values]?: string | undefined }

interface FormOptions<Values extends FieldValues> {
  /** What the fields hold at first. */
  readonly initial: Values
  /** Says what is missing or wrong. It is asked when the form is sent, and then with every change of a wrong field. */
  readonly validate: (values: Values) => Faults<Values>
  /** Gets the values after every change, for a draft that is kept. */
  readonly onChange?: (values: Values) => void
}

/** What connects an element of the page with its field. */
export interface ControlProps {
  readonly name: string
  readonly ref: (element: HTMLElement | null) => void
  readonly onChange: (event: { target: unknown; type?: string }) => unknown
  readonly onBlur: (event: { target: unknown; type?: string }) => unknown
}

/** What a `Field` of the page needs of a field of the form. */
export interface FieldProps {
  readonly control: ControlProps
  readonly error: string | undefined
}

type NameOf<Values> = Extract<keyof Values, string>

export interface Form<Values extends FieldValues> {
  /** What the fields hold now. */
  readonly values: Values
  /** Connects a `Field` and the control in it: `<Field label="Title" {...form.field('title')}>`. */
  readonly field: (name: NameOf<Values>, options?: { readonly asNumber?: boolean }) => FieldProps
  /** The same for a control that stands in no `Field`, such as a checkbox. */
  readonly control: (name: NameOf<Values>) => ControlProps
  readonly error: (name: NameOf<Values>) => string | undefined
  /** Sets a field that no element of the page holds. */
  readonly set: <Name extends NameOf<Values>>(name: Name, value: Values[Name]) => void
  /** Begins anew with these values and without errors. */
  readonly reset: (values: Values) => void
  /** Sends the form: see `Form` in the components. */
  readonly submit: (send: Send<Values>) => Promise<void>
  /** The tries that were refused so far, and the number of wrong fields in the last of them. */
  readonly refused: Refused
  /** Goes on the form element, so that the first wrong field is found. */
  readonly element: RefObject<HTMLFormElement | null>
}

interface Refused {
  readonly tries: number
  readonly faults: number
}

/** Sends what the form holds. What it answers is wrong with the fields, as the server says. */
export type Send<Values> = (values: Values) => Promise<Readonly<Record<string, string>> | undefined | void>

/**
 * The one way to fill a form. All rules of a form are one function over its values; what the server refuses lands on the
 * same fields. After a refused try the first wrong field has the focus. The server decides again: these rules only spare
 * a round trip.
 */
export function useForm<Values extends FieldValues>({
  initial,
  validate,
  onChange,
}: FormOptions<Values>): Form<Values> {
  const latest = useRef({ validate, onChange })
  latest.current = { validate, onChange }
  const [refused, setRefused] = useState<Refused>({ tries: 0, faults: 0 })
  const element = useRef<HTMLFormElement>(null)
  const form = useHookForm<Values>({
    defaultValues: initial as DefaultValues<Values>,
    // The first wrong field in the order of the page takes the focus, server errors included; see below.
    shouldFocusError: false,
    resolver: values => {
      const errors = asFieldErrors(latest.current.validate(values))
      return Object.keys(errors).length === 0 ? { values, errors: {} } : { values: {}, errors }
    },
  })
  const { subscribe } = form
  useEffect(
    () =>
      subscribe({
        formState: { values: true },
        callback: ({ values }) => latest.current.onChange?.(values as Values),
      }),
    [subscribe],
  )
  useEffect(() => {
    if (refused.tries > 0) focusFirstFault(element.current)
  }, [refused])

  const { errors } = form.formState
  const error = (name: NameOf<Values>) => {
    const message = errors[name]?.message
    return typeof message === 'string' ? message : undefined
  }
  const control = (name: NameOf<Values>, asNumber = false) =>
    form.register(name as unknown as Path<Values>, asNumber ? { valueAsNumber: true } : {})
  const refuse = (faults: number) => setRefused(({ tries }) => ({ tries: tries + 1, faults }))

  return {
    values: form.watch(),
    field: (name, { asNumber = false } = {}) => ({ control: control(name, asNumber), error: error(name) }),
    control,
    error,
    set: (name, value) =>
      form.setValue(name as unknown as Path<Values>, value as PathValue<Values, Path<Values>>, {
        shouldValidate: form.formState.isSubmitted,
      }),
    reset: values => form.reset(values),
    submit: send =>
      form.handleSubmit(
        async values => {
          const faults = Object.entries((await send(values)) ?? {}).filter(([name]) => name in form.getValues())
          for (const [name, message] of faults) form.setError(name as Path<Values>, { type: 'server', message })
          if (faults.length > 0) refuse(faults.length)
        },
        faults => refuse(Object.keys(faults).length),
      )(),
    refused,
    element,
  }
}

const asFieldErrors = <Values extends FieldValues>(faults: Faults<Values>) =>
  Object.fromEntries(
    Object.entries(faults)
      .filter(([, message]) => message !== undefined)
      .map(([name, message]) => [name, { type: 'rule', message }]),
  ) as FieldErrors<Values>

/** A group of radio buttons cannot have the focus itself: the button that is chosen has it. */
function focusFirstFault(form: HTMLFormElement | null) {
  const first = form?.querySelector<HTMLElement>('[aria-invalid="true"]')
  const button = first?.querySelector<HTMLElement>('input:checked') ?? first?.querySelector('input')
  const target = button ?? first
  target?.focus()
}
