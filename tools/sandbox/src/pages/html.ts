import { escapeHtml } from '@holdfast/kernel/html'

/** Text that is HTML already. */
export class Html {
  constructor(readonly text: string) {}
}

export type HtmlPart = Html | string | number | null | undefined | false | readonly HtmlPart[]

/** Builds HTML. Inserted values are escaped, unless they are `Html` themselves. */
export function html(strings: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html {
  return new Html(strings.reduce((whole, text, index) => whole + render(parts[index - 1]) + text))
}

function render(part: HtmlPart): string {
  if (part === null || part === undefined || part === false) return ''
  if (part instanceof Html) return part.text
  if (typeof part === 'object') return part.map(render).join('')
  return escapeHtml(String(part))
}
