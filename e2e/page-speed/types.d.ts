/** What `interactions.js` keeps in a measured page. */
interface Window {
  slowest: { ms: number; name?: string; waited?: number; worked?: number }
}

/** Of the Event Timing API. TypeScript does not have it. */
interface PerformanceObserverInit {
  durationThreshold?: number
}

/** What we use of Lighthouse, which only `npm run page-speed` installs. */
declare module 'lighthouse' {
  interface Audit {
    title: string
    score: number | null
    scoreDisplayMode: string
    displayValue?: string
  }
  interface Category {
    id: string
    score: number | null
    auditRefs: { id: string }[]
  }
  interface Result {
    categories: Record<string, Category>
    audits: Record<string, Audit>
    runtimeError?: { message: string }
  }
  /** Resolves with nothing when it only gathers. */
  export default function lighthouse(url: string, flags: object): Promise<{ lhr: Result } | undefined>
}
