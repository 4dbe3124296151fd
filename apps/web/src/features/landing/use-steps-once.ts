import { type RefObject, useEffect, useRef, useState } from 'react'

/** Three moves of this length stay under the five seconds after which moving content would need a pause button. */
const STEP_MS = 1500
/** Where the story stands still for people who want no motion: the money is held. */
const STILL_STEP = 1

interface Steps {
  /** Goes on what has to be seen before the steps begin to play. */
  readonly panel: RefObject<HTMLDivElement | null>
  readonly current: number
  /** Shows one step and ends the play. */
  readonly show: (step: number) => void
}

/** Plays through `count` steps once, when they come into view, and then leaves them to the reader. */
export function useStepsOnce(count: number): Steps {
  const panel = useRef<HTMLDivElement>(null)
  const [still] = useState(() => window.matchMedia('(prefers-reduced-motion: reduce)').matches)
  const [current, setCurrent] = useState(still ? STILL_STEP : 0)
  const [playing, setPlaying] = useState(false)

  useEffect(() => {
    if (still || !panel.current) return
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) return
        observer.disconnect()
        setPlaying(true)
      },
      { threshold: 0.4 },
    )
    observer.observe(panel.current)
    return () => observer.disconnect()
  }, [still])

  useEffect(() => {
    if (!playing || current >= count - 1) return
    const timer = setTimeout(() => setCurrent(current + 1), STEP_MS)
    return () => clearTimeout(timer)
  }, [playing, current, count])

  const show = (step: number) => {
    setPlaying(false)
    setCurrent(step)
  }
  return { panel, current, show }
}
