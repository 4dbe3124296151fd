/** Every control character but the two that text has: they would hide or rearrange what somebody reads. */
const CONTROLS = /[^\P{Cc}\n\t]/gu
/** Characters that turn the direction of the text after them: `exe.jpg` could read as `gpj.exe`. */
const DIRECTION_OVERRIDES = /[\u202A-\u202E\u2066-\u2069]/g

/** What somebody wrote, as it is kept: plain text with line feeds. Empty when nothing readable is left. */
export function cleanContent(content: string): string {
  return content.replace(/\r\n?/g, '\n').replace(CONTROLS, '').replace(DIRECTION_OVERRIDES, '').trim()
}
