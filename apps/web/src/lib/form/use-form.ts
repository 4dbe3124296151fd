import { type RefObject, useEffect, useRef, useState } from 'react'
import {
  type DefaultValues,
  type FieldErrors,
  type FieldValues,
  type Path,
  type PathValue,
  useForm as useHookForm,
} from 'react-hook-form'
import { useUnsavedChanges } from '../unsaved-changes.js'

/** What is wrong, by field; a field that is right is missing or undefined. */
export type Faults<Values> = { readonly [Name in keyof Values]?: string | undefined }

/** What the server says is wrong: `details.fields` of its refusal. */
type ServerFaults = Readonly<Record<string, string>>

interface FormOptions<Values extends FieldValues> {
  /** What the fields hold at first. */
  readonly initial: Values
  /** What the server refused before this form was opened: the form begins with these errors. */
  readonly refused?: ServerFaults
  /** Says what is missing or wrong. It is asked when the form is sent, and then with every change of a wrong field. */
  readonly validate: (values: Values) => Faults<Values>
  /** Gets the values after every change, for a draft that is kept. */
  readonly onChange?: (values: Values) => void
  /** Asks before the page is left with changes that were not sent. For forms that take a while to fill. */
  readonly asksToLeave?: boolean
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

/** The path of a field for react-hook-form. Each name is one, but TypeScript cannot compute the paths of a type that it does not know yet. */
const pathOf = <Values extends FieldValues>(name: NameOf<Values>) => name as unknown as Path<Values>

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
  /** Validates, and sends what is right. The `Form` component calls it. */
  readonly submit: (send: Send<Values>, onRefused?: () => void) => Promise<void>
  /** The tries that were refused so far, and the number of wrong fields in the last of them: 0 once no field is wrong. */
  readonly refusals: Refusals
  /** Goes on the form element, so that the first wrong field is found. */
  readonly element: RefObject<HTMLFormElement | null>
}

interface Refusals {
  readonly tries: number
  readonly faults: number
}

/** Sends what the form holds, and answers what the server says is wrong with its fields. */
export type Send<Values> = (values: Values) => Promise<ServerFaults | undefined | void>

/**
 * The one way to fill a form. All rules of a form are one function over its values. What the server refuses lands on the
 * same fields. After a refused try the first wrong field has the focus. The server decides again: these rules only spare
 * a round trip.
 */
export function useForm<Values extends FieldValues>(options: FormOptions<Values>): Form<Values> {
  const latest = useRef(options)
  latest.current = options
  const form = useHookForm<Values>({
    defaultValues: options.initial as DefaultValues<Values>,
    // The first wrong field in the order of the page takes the focus, server errors included: see useFocusOnFault.
    shouldFocusError: false,
    resolver: values => {
      const errors = asFieldErrors(latest.current.validate(values))
      return Object.keys(errors).length === 0 ? { values, errors: {} } : { values: {}, errors }
    },
  })
  const server = useServerFaults(options.refused)
  const [refusals, setRefusals] = useState(() => firstRefusals(options.initial, options.refused))
  const element = useFocusOnFault(refusals)
  const { subscribe } = form
  const { forgive } = server
  useEffect(
    () =>
      subscribe({
        formState: { values: true },
        callback: ({ values, name }) => {
          if (name !== undefined) forgive(name)
          latest.current.onChange?.(values as Values)
        },
      }),
    [subscribe, forgive],
  )

  const { errors, isSubmitted, isSubmitting, isDirty } = form.formState
  useUnsavedChanges(options.asksToLeave === true && isDirty && !isSubmitting)
  const error = (name: NameOf<Values>) => {
    const message = errors[name]?.message
    return typeof message === 'string' ? message : server.faults[name]
  }
  const isWrong = Object.keys(errors).length > 0 || Object.keys(ownFaults(server.faults, options.initial)).length > 0
  const control = (name: NameOf<Values>, asNumber = false) =>
    form.register(pathOf<Values>(name), asNumber ? { valueAsNumber: true } : {})
  const refuse = (faults: number) => setRefusals(({ tries }) => ({ tries: tries + 1, faults }))

  return {
    values: form.watch(),
    field: (name, { asNumber = false } = {}) => ({ control: control(name, asNumber), error: error(name) }),
    control,
    error,
    set: (name, value) =>
      form.setValue(pathOf<Values>(name), value as PathValue<Values, Path<Values>>, {
        shouldValidate: isSubmitted,
      }),
    reset: values => {
      server.tell({})
      form.reset(values)
    },
    submit: (send, onRefused) =>
      form.handleSubmit(
        async values => {
          const faults = ownFaults((await send(values)) ?? {}, values)
          server.tell(faults)
          if (Object.keys(faults).length > 0) refuse(Object.keys(faults).length)
        },
        faults => {
          refuse(Object.keys(faults).length)
          onRefused?.()
        },
      )(),
    refusals: isWrong ? refusals : { ...refusals, faults: 0 },
    element,
  }
}

/** The server's words on the fields. Those of a field are dropped when the field is changed. */
function useServerFaults(first: ServerFaults = {}) {
  const [faults, tell] = useState(first)
  const [forgive] = useState(() => (name: string) => {
    tell(before =>
      name in before ? Object.fromEntries(Object.entries(before).filter(([key]) => key !== name)) : before,
    )
  })
  return { faults, tell, forgive }
}

/** The server may name a field that this form does not have; the page shows those elsewhere. */
const ownFaults = (faults: ServerFaults, values: FieldValues): ServerFaults =>
  Object.fromEntries(Object.entries(faults).filter(([name]) => name in values))

const firstRefusals = (initial: FieldValues, refused: ServerFaults = {}): Refusals => {
  const faults = Object.keys(ownFaults(refused, initial)).length
  return { tries: faults > 0 ? 1 : 0, faults }
}

const asFieldErrors = <Values extends FieldValues>(faults: Faults<Values>) =>
  Object.fromEntries(
    Object.entries(faults)
      .filter(([, message]) => message !== undefined)
      .map(([name, message]) => [name, { type: 'rule', message }]),
  ) as FieldErrors<Values>

/** Leads to the first wrong field of the page after each refused try. */
function useFocusOnFault({ tries }: Refusals): RefObject<HTMLFormElement | null> {
  const element = useRef<HTMLFormElement>(null)
  const answered = useRef(0)
  // Without dependencies: the wrong fields may be rendered a moment after the try was counted.
  useEffect(() => {
    if (answered.current === tries) return
    const first = element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')
    if (!first) return
    answered.current = tries
    // A group of radio buttons cannot have the focus itself: the button that is chosen has it.
    const button = first.querySelector<HTMLElement>('input:checked') ?? first.querySelector('input')
    const target = button ?? first
    target.focus()
  })
  return element
}
