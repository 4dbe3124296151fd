/**
 * What a text looks like at a glance: Unicode's skeletons (UTS 39, section 4), with the data of its `confusables.txt` from the package
 * `unhomoglyph`.
 */

import anyAscii from 'any-ascii'
import prototypes from 'unhomoglyph/data.json' with { type: 'json' }

const PROTOTYPES: Readonly<Record<string, string>> = prototypes

/** Characters that are not shown. UTS 39 removes them first. */
const NOT_SHOWN = /\p{Default_Ignorable_Code_Point}/gu
const MARKS = /\p{M}+/gu
/** Latin letters beyond ASCII, and letters in circles and squares. */
const STYLED = /(?!\p{ASCII})[\p{Script=Latin}\p{So}]/gu
/** Unicode says that the small capital K looks like this letter, the Greenlandic kra, and not like k. */
const KRA = /ĸ/g

/** UTS 39: each character as the one that it looks like. */
const prototypeOf = (text: string): string => [...text].map(sign => PROTOTYPES[sign] ?? sign).join('')

/**
 * Latin letters as their ASCII letters: Unicode has `ʜ`, `ɗ` and `ⓗ` as letters of their own, which look like nothing else. Others are kept:
 * this is about what is seen, and not about how a letter sounds.
 */
const plainLatin = (text: string): string =>
  text
    .normalize('NFD')
    .replace(MARKS, '')
    .replace(KRA, 'k')
    .replace(STYLED, letter => anyAscii(letter))

/** Small and capital letters count as the same, so whatever looks like one of the two counts as both: `i` is `I`, which is `l`. */
const foldCase = (text: string): string => text.normalize('NFKD').toLowerCase().replaceAll('i', 'l')

/**
 * The skeletons of a text: two texts that share one look alike. Case, marks, and everything that is no letter and no digit are ignored. Letters
 * that Unicode gives another prototype than their ASCII letter (`ƨ` is `2` there) make a second skeleton.
 *
 * Each step is done twice: what the first round makes can have a prototype itself.
 */
export function skeletonsOf(text: string): readonly string[] {
  const shown = text.normalize('NFD').replace(NOT_SHOWN, '')
  const readings = [shown, plainLatin(shown)].map(reading =>
    foldCase(plainLatin(prototypeOf(foldCase(plainLatin(prototypeOf(reading))))))
      .replaceAll('0', 'o')
      .replaceAll('1', 'l')
      .replace(/[^\p{L}\p{N}]/gu, ''),
  )
  return [...new Set(readings)]
}
