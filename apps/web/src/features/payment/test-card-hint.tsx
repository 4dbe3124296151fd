/** Only the sandbox reaches this form, so these cards always work here. */
export function TestCardHint() {
  return (
    <details className="rounded-md border border-dashed border-edge px-3.5 py-2.5 text-sm">
      <summary className="font-semibold">Test payments: no real card is charged</summary>
      <ul className="figures mt-2 grid gap-1 text-ink-soft">
        <li>4242 4242 4242 4242 pays</li>
        <li>4000 0025 0000 3155 asks the bank first</li>
        <li>4000 0000 0000 0002 is declined</li>
      </ul>
      <p className="mt-1.5 text-ink-soft">Any month to come, any three digits, any name.</p>
    </details>
  )
}
