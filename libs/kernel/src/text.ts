/** Cleans texts that one user writes and another reads. */

/** Every control character except tab and line feed. They could hide or rearrange what a reader sees. */
const CONTROLS = /[^\P{Cc}\n\t]/gu
/** Characters that reverse the direction of the text after them: `exe.jpg` could be shown as `gpj.exe`. */
const DIRECTION_OVERRIDES = /[\u202A-\u202E\u2066-\u2069]/g
/** Matches a text that has only invisible characters. In other texts they are kept, because some of them join emoji. */
const SHOWS_NOTHING = /^[\p{Default_Ignorable_Code_Point}\p{White_Space}\u2800]*$/u

/** A user's text as it is stored: plain text with line feeds. Empty when nothing readable is left. */
export function cleanText(text: string): string {
  const clean = text.replace(/\r\n?/g, '\n').replace(CONTROLS, '').replace(DIRECTION_OVERRIDES, '').trim()
  return SHOWS_NOTHING.test(clean) ? '' : clean
}

/** The same for a text of one line, such as a name or a title. */
export const cleanLine = (text: string): string => cleanText(text).replace(/\s+/g, ' ')
