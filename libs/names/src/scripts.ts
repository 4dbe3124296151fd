/** Which letters stand together in one name (UTS 39, section 5.2: the restriction level "single script"). */

/** The scripts in which people write today: those of UAX 31, tables 5 and 7. */
const SCRIPTS = `
  Latin Cyrillic Greek Arabic Hebrew Armenian Georgian Ethiopic Thaana Devanagari Bengali Gurmukhi Gujarati
  Oriya Tamil Telugu Kannada Malayalam Sinhala Thai Lao Tibetan Myanmar Khmer Adlam Balinese Bamum Batak
  Canadian_Aboriginal Chakma Cham Cherokee Hanifi_Rohingya Javanese Kayah_Li Lepcha Limbu Lisu Mandaic
  Meetei_Mayek Miao Mongolian New_Tai_Lue Newa Nko Nyiakeng_Puachue_Hmong Ol_Chiki Osage Saurashtra Sundanese
  Syloti_Nagri Syriac Tai_Le Tai_Tham Tai_Viet Tifinagh Vai Wancho Yi
`
  .trim()
  .split(/\s+/)

/** Japanese, Korean and Chinese are written in several scripts, which count as one (UTS 39, section 5.1). */
const WRITTEN_TOGETHER = [
  ['Han', 'Hiragana', 'Katakana'],
  ['Han', 'Hangul'],
  ['Han', 'Bopomofo'],
]

/** Signs of every script: spaces, hyphens, apostrophes, accents, digits. */
const SHARED = String.raw`\p{Script=Common}\p{Script=Inherited}`
const SINGLE = [...SCRIPTS.map(script => [script]), ...WRITTEN_TOGETHER].map(
  scripts => new RegExp(`^[${SHARED}${scripts.map(script => `\\p{Script_Extensions=${script}}`).join('')}]*$`, 'u'),
)

/** Whether all letters of a text are of one script. Styled letters, such as 𝐀, count as the letters that they are. */
export function isOneScript(text: string): boolean {
  const plain = text.normalize('NFKC')
  return SINGLE.some(script => script.test(plain))
}
