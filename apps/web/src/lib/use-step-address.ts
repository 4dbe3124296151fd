import { useSearchParams } from 'react-router-dom'

/** The step of a form that the address names, counted from 0, and the way to another; the address counts from 1. */
export function useStepAddress() {
  const [params, setParams] = useSearchParams()
  const goTo = (step: number) => setParams(step === 0 ? {} : { step: String(step + 1) })
  return [Number(params.get('step') ?? 1) - 1, goTo] as const
}
