import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { useSearchParams } from 'react-router-dom'
import { Stepper } from './stepper.js'

interface WizardProps {
  /** What the steps lead to, for screen readers. */
  label: string
  steps: readonly string[]
  /** Index of the step shown now. */
  step: number
  /** The step's content. */
  children: ReactNode
}

/** A form of several steps: where one is, and the step under its heading. A new step begins with the focus there. */
export function Wizard({ label, steps, step, children }: WizardProps) {
  const content = useRef<HTMLDivElement>(null)
  const heading = useFocusOnStep(step, content)
  return (
    <>
      <Stepper label={label} steps={steps} current={step} />
      <h2 ref={heading} tabIndex={-1} className="display mt-10 mb-6 text-xl outline-none">
        {steps[step]}
      </h2>
      <div ref={content}>{children}</div>
    </>
  )
}

interface StepActionsProps {
  /** The quiet buttons: back, cancel, skip. At most two. */
  back?: ReactNode
  /** The button that leads on. */
  next?: ReactNode
}

/** The buttons under a step. On a phone the one that leads on has a row of its own, above the others. */
export function StepActions({ back, next }: StepActionsProps) {
  return (
    <div className="flex flex-col-reverse gap-3 border-t border-rule pt-6 sm:flex-row">
      {back && <div className="flex gap-3 max-sm:*:grow">{back}</div>}
      {next}
    </div>
  )
}

/** The step that the address names (`?step=2`), counted from 0, and the way to another: so Back leads to the step before. */
export function useStepAddress() {
  const [params, setParams] = useSearchParams()
  // The step itself scrolls to its beginning, unless its first wrong field has the focus.
  const goTo = (step: number) => setParams(step === 0 ? {} : { step: String(step + 1) }, { preventScrollReset: true })
  return [Number(params.get('step') ?? 1) - 1, goTo] as const
}

function useFocusOnStep(step: number, content: RefObject<HTMLDivElement | null>) {
  const heading = useRef<HTMLHeadingElement>(null)
  const shown = useRef(step)
  useEffect(() => {
    if (shown.current === step) return
    shown.current = step
    // A step that opens with what the server refused has given the focus to the first wrong field.
    if (content.current?.querySelector('[aria-invalid="true"]')) return
    heading.current?.focus({ preventScroll: true })
    window.scrollTo({ top: 0 })
  }, [step, content])
  return heading
}
