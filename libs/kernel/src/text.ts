/** What people write for other people to read. */

/** Every control character but the two that text has: they would hide or rearrange what a reader sees. */
const CONTROLS = /[^\P{Cc}\n\t]/gu
/** Characters that turn the direction of the text after them: `exe.jpg` could read as `gpj.exe`. */
const DIRECTION_OVERRIDES = /[\u202A-\u202E\u2066-\u2069]/g
/** What shows as nothing. Within a text some of it has a use (it joins emoji); a text of nothing else looks blank. */
const SHOWS_NOTHING = /^[\p{Default_Ignorable_Code_Point}\p{White_Space}\u2800]*$/u

/** A user's text as it is stored: plain text with line feeds. Empty when nothing readable is left. */
export function cleanText(text: string): string {
  const clean = text.replace(/\r\n?/g, '\n').replace(CONTROLS, '').replace(DIRECTION_OVERRIDES, '').trim()
  return SHOWS_NOTHING.test(clean) ? '' : clean
}

/** The same for a text of one line, such as a name or a title. */
export const cleanLine = (text: string): string => cleanText(text).replace(/\s+/g, ' ')
