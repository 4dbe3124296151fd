const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Makes text safe inside an element or a quoted attribute, of HTML and of XML. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, character => ENTITIES[character]!)
