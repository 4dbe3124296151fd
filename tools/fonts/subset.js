/**
 * Writes the web app's fonts and their style sheet to `apps/web/src/styles/fonts`. The results are committed, so a build needs
 * no font tools. After a change of this file or of a font's version:
 *
 *     cd tools/fonts && npm ci --ignore-scripts && node subset.js && cd ../.. && npm run format
 *
 * Each font becomes three files. The first one has the characters of the product's own texts and is loaded with the page. The
 * other two have further letters of names and items, such as é and ł. They are loaded when a page shows such a letter.
 */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import subsetFont from 'subset-font'

const HERE = import.meta.dirname ?? path.dirname(fileURLToPath(import.meta.url))
const OUTPUT = path.join(HERE, '../../apps/web/src/styles/fonts')

/** ASCII, and the signs that the product's texts and amounts contain. */
const BASIC = 'U+20-7E,U+A0,U+A3,U+A9,U+B7,U+D7,U+2013-2014,U+2018-2019,U+201C-201D,U+2022,U+2026,U+20AC,U+2212'
/** What the style sheets use. Small capitals, fractions and the like are left out. */
const FEATURES = ['ccmp', 'kern', 'liga', 'locl', 'mark', 'mkmk', 'pnum', 'tnum']

/**
 * `metrics` are the measures of the font at the weight that most texts have. `systemFonts` are fonts that operating systems have.
 * `width` is the average width of a character of English text. All are fractions of the font size, as @capsizecss/unpack 4.0
 * measures them.
 */
const FONTS = [
  {
    family: 'Instrument Sans',
    name: 'instrument-sans',
    axis: { min: 400, max: 600 },
    weight: '400 600',
    metrics: { ascent: 0.97, descent: 0.25, width: 0.458 },
    systemFonts: [
      { name: 'Arial', width: 0.4458 },
      { name: 'Roboto', width: 0.4448 },
      { name: 'DejaVu Sans', width: 0.5083 },
    ],
  },
  {
    family: 'Besley',
    name: 'besley',
    axis: 520,
    weight: '520',
    metrics: { ascent: 1.25, descent: 0.425, width: 0.519 },
    systemFonts: [
      { name: 'Georgia', width: 0.4458 },
      { name: 'Times New Roman', width: 0.4063 },
      { name: 'DejaVu Serif', width: 0.5166 },
    ],
  },
]

mkdirSync(OUTPUT, { recursive: true })
const faces = []
for (const font of FONTS) faces.push(...(await facesOf(font)))
writeFileSync(path.join(OUTPUT, 'fonts.css'), `/* Written by tools/fonts/subset.js. */\n${faces.join('')}`)

async function facesOf(font) {
  const folder = path.join(HERE, 'node_modules/@fontsource-variable', font.name)
  copyFileSync(path.join(folder, 'LICENSE'), path.join(OUTPUT, `${font.name}-license.txt`))
  const ranges = JSON.parse(readFileSync(path.join(folder, 'unicode.json'), 'utf8'))
  const basic = charactersOf(BASIC)
  const make = async (subset, source, range, characters) => {
    const file = `${font.name}-${subset}.woff2`
    const original = readFileSync(path.join(folder, `files/${font.name}-${source}-wght-normal.woff2`))
    const bytes = await subsetFont(original, [...characters].join(''), {
      targetFormat: 'woff2',
      variationAxes: { wght: font.axis },
      keepFeatures: FEATURES,
      noHinting: true,
    })
    writeFileSync(path.join(OUTPUT, file), bytes)
    process.stdout.write(`${file}: ${original.length} → ${bytes.length} bytes\n`)
    return face(font, file, range)
  }
  const others = set => [...charactersOf(set)].filter(character => !basic.has(character))
  // The last face whose range contains a character is used, so the one with the basic characters is written last.
  return [
    ...font.systemFonts.map(system => standIn(font, system)),
    await make('latin-ext', 'latin-ext', ranges['latin-ext'], charactersOf(ranges['latin-ext'])),
    await make('latin', 'latin', ranges.latin, others(ranges.latin)),
    await make('basic', 'latin', BASIC, basic),
  ]
}

function face({ family, weight }, file, range) {
  return `@font-face {
  font-family: "${family}";
  src: url("./${file}") format("woff2");
  font-weight: ${weight};
  font-display: swap;
  unicode-range: ${range.replaceAll(',', ', ')};
}
`
}

/** A system font, scaled to the width and height of ours, so that the text does not move when ours is loaded. */
function standIn({ family, metrics }, system) {
  const scale = metrics.width / system.width
  const percent = part => `${(part * 100).toFixed(2)}%`
  return `@font-face {
  font-family: "${family} ${system.name}";
  src: local("${system.name}");
  size-adjust: ${percent(scale)};
  ascent-override: ${percent(metrics.ascent / scale)};
  descent-override: ${percent(metrics.descent / scale)};
  line-gap-override: 0%;
}
`
}

/** The characters of a `unicode-range`. */
function charactersOf(range) {
  const characters = new Set()
  for (const part of range.split(',')) {
    const [first, last = first] = part.trim().slice(2).split('-')
    for (let code = Number.parseInt(first, 16); code <= Number.parseInt(last, 16); code++)
      characters.add(String.fromCodePoint(code))
  }
  return characters
}
