import fc from 'fast-check'
import { type Currency, formatAmount, parseAmount } from './money.js'
import { readTypedAmount } from './typed-amount.js'

const read = (typed: string, currency: Currency = 'USD') => readTypedAmount(typed, currency)

describe('a typed amount', () => {
  it.each([
    ['3000', '3000.00'],
    ['3,000', '3000.00'],
    ['3,000.00', '3000.00'],
    ['3000.5', '3000.50'],
    ['3000.00', '3000.00'],
    ['1,234,567.89', '1234567.89'],
    ['0', '0.00'],
    [' $3,000.00 ', '3000.00'],
    ['$ 3000', '3000.00'],
    ['US$3,000', '3000.00'],
    ['3000 USD', '3000.00'],
    ['usd 12.5', '12.50'],
    ['3,000.00\u00a0$', '3000.00'],
  ])('of %j is %s', (typed, amount) => {
    expect(read(typed)).toEqual({ amount })
  })

  it.each([
    ['3.000', 'This can be read as $3.00 or as $3,000.00. Write 3.00 or 3,000.00.'],
    ['1.000', 'This can be read as $1.00 or as $1,000.00. Write 1.00 or 1,000.00.'],
    ['$1.000', 'This can be read as $1.00 or as $1,000.00. Write 1.00 or 1,000.00.'],
    ['3.000,00', 'If you mean $3,000.00, write 3,000.00.'],
    ['1.234', 'If you mean $1,234.00, write 1,234.00.'],
    ['3,00', 'If you mean $3.00, write 3.00.'],
    ['1,5', 'If you mean $1.50, write 1.50.'],
    ['3 000', 'If you mean $3,000.00, write 3,000.00.'],
    ['3\u202f000,50', 'If you mean $3,000.50, write 3,000.50.'],
    ["3'000", 'If you mean $3,000.00, write 3,000.00.'],
    ['3’000.00', 'If you mean $3,000.00, write 3,000.00.'],
    ['1.234.567', 'If you mean $1,234,567.00, write 1,234,567.00.'],
  ])('of %j is refused, and the words show what it can mean', (typed, fault) => {
    expect(read(typed)).toEqual({ fault })
  })

  it.each([
    '',
    '-1',
    '+1',
    '.5',
    '5.',
    '1e3',
    '0x10',
    '0,500,000',
    '1,00000.5',
    '1,00,000',
    '1.2.3',
    '12,34.5',
    '3000 or so',
    '€5',
    '5 EUR',
    '$$5',
  ])('of %j is refused', typed => {
    expect(read(typed)).toEqual({
      fault: 'Write the amount like 3,000.00: with the digits 0 to 9 and at most 2 decimals.',
    })
  })

  it.each(['٣٠٠٠', '۳۰۰۰', '３０００', '３，０００', '३०००', '3٬000', '3٫5', '3，000', '𝟛000'])(
    'of %j is refused: its digits or marks are not ours',
    typed => {
      expect(read(typed).fault).toMatch(/^Write the amount like 3,000.00: with the digits 0 to 9/)
    },
  )

  it('has the decimals of its currency', () => {
    expect(read('3,000', 'JPY')).toEqual({ amount: '3000' })
    expect(read('3000.5', 'JPY').fault).toBeDefined()
    expect(read('3.000', 'JPY').fault).toBeDefined()
    expect(read('0.00000001 BTC', 'BTC')).toEqual({ amount: '0.00000001' })
    expect(read('1.5', 'ETH')).toEqual({ amount: '1.500000000000000000' })
    // With many decimals, both a point and a comma before three digits can be meant in two ways.
    for (const typed of ['3.000', '3,000', '0.125']) expect(read(typed, 'USDC').fault).toBeDefined()
    expect(read('€3,000', 'EUR')).toEqual({ amount: '3000.00' })
    expect(read('$3,000', 'EUR').fault).toBeDefined()
  })
})

/** As countries write amounts: their locale, in which JavaScript formats them. */
const LOCALES = [
  ...[
    'en-US',
    'en-IN',
    'en-ZA',
    'de-DE',
    'de-CH',
    'de-AT',
    'fr-FR',
    'fr-CH',
    'it-IT',
    'es-ES',
    'es-MX',
    'pt-BR',
    'pt-PT',
  ],
  ...[
    'nl-NL',
    'pl-PL',
    'cs-CZ',
    'sv-SE',
    'da-DK',
    'nb-NO',
    'fi-FI',
    'tr-TR',
    'ru-RU',
    'uk-UA',
    'el-GR',
    'hu-HU',
    'id-ID',
  ],
  ...[
    'vi-VN',
    'ja-JP',
    'zh-CN',
    'ko-KR',
    'hi-IN',
    'mr-IN-u-nu-deva',
    'th-TH-u-nu-thai',
    'ar-EG',
    'ar-MA',
    'fa-IR',
    'bn-BD',
    'my-MM',
    'ne-NP',
  ],
  ...['ja-JP-u-nu-fullwide', 'lv-LV', 'bg-BG', 'es-AR', 'sl-SI', 'he-IL'],
]
/** How many decimals a person writes: those that there are, or two. Nobody writes dollars with three, so a comma before three digits is of thousands. */
const DECIMALS = [{ maximumFractionDigits: 2 }, { minimumFractionDigits: 2, maximumFractionDigits: 2 }]
const formats = LOCALES.flatMap(locale =>
  DECIMALS.flatMap(decimals =>
    [false, true, 'min2' as const].flatMap(useGrouping => [
      new Intl.NumberFormat(locale, { ...decimals, useGrouping }),
      new Intl.NumberFormat(locale, { ...decimals, useGrouping, style: 'currency', currency: 'USD' }),
    ]),
  ),
)

describe('for every form in which a country writes an amount', () => {
  const rightOrRefused = (cents: number) => {
    for (const format of formats) {
      const typed = format.format(cents / 100)
      const { amount, fault } = read(typed)
      if (fault === undefined && parseAmount(amount, 'USD') !== BigInt(cents))
        throw new Error(`${typed} (${format.resolvedOptions().locale}) was read as ${amount}`)
    }
  }

  it('an amount is read as what was meant, or refused', () => {
    fc.assert(fc.property(fc.integer({ min: 0, max: 100_000_000 }), rightOrRefused), { numRuns: 150 })
    // Whole amounts, which have the most forms in common.
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_000_000 }), dollars => rightOrRefused(dollars * 100)),
      { numRuns: 150 },
    )
    for (const dollars of [0, 1, 3, 10, 999, 1_000, 3_000, 10_000, 100_000, 999_999, 1_000_000])
      rightOrRefused(dollars * 100)
  })

  it('the plain and the American forms are read', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100_000_000 }), cents => {
        const amount = formatAmount(BigInt(cents), 'USD')
        expect(read(amount)).toEqual({ amount })
        for (const useGrouping of [true, false]) {
          const format = { minimumFractionDigits: 2, useGrouping } as const
          expect(read((cents / 100).toLocaleString('en-US', format))).toEqual({ amount })
          expect(
            read((cents / 100).toLocaleString('en-US', { ...format, style: 'currency', currency: 'USD' })),
          ).toEqual({ amount })
        }
      }),
    )
  })

  it('what the words of a refusal propose is read as the amount that they name', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100_000_000 }), fc.constantFrom(...formats), (cents, format) => {
        const { fault = '' } = read(format.format(cents / 100))
        const meant = [...fault.matchAll(/\$[\d,.]*\d/g)].map(([each]) => each)
        const proposed = [...(fault.split(/[Ww]rite /)[1] ?? '').matchAll(/(?<=^| )[\d,]+\.\d\d/g)].map(
          ([each]) => each,
        )
        if (meant.length > 0) expect(proposed.map(each => read(each))).toEqual(meant.map(each => read(each)))
      }),
    )
  })
})
