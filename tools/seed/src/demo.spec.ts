import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { CreateListing } from '@holdfast/contracts/listings'
import { DEMO_DEALS } from './demo-deals.js'
import { GOODS } from './goods.js'
import { GOODS_ON_SALE } from './goods-on-sale.js'
import { drawingOf } from './pictures.js'
import { DOCUMENT_PICTURES } from './send-documents.js'

const legalAcceptance = {
  termsAccepted: true,
  escrowAgreement: true,
  harmlessClause: true,
  digitalSignature: 'Maya Lindqvist',
  signatureDate: '2026-11-21T12:00:00Z',
}

const EVIDENCE = DEMO_DEALS.flatMap(({ steps }) => steps.filter(step => step.does === 'addEvidence'))

describe('the items of the demo', () => {
  it.each(GOODS.map(goods => [goods.title, goods] as const))('"%s" can be offered as it is', (_, goods) => {
    const { pictures, seller: _seller, ...offer } = goods
    expect(CreateListing.safeParse({ ...offer, legalAcceptance }).error).toBeUndefined()
    expect(Number(goods.price)).toBeGreaterThanOrEqual(18)
    expect(Number(goods.price)).toBeLessThanOrEqual(4800)
    expect(goods.description.split(/[.!?]\s/).length).toBeGreaterThanOrEqual(3)
    expect(pictures.length).toBeGreaterThanOrEqual(2)
  })

  it.each(GOODS.map(goods => [goods.title, goods] as const))('"%s" has pictures that are complete', (_, goods) => {
    for (const name of goods.pictures) {
      const svg = readFileSync(drawingOf(name), 'utf8')
      expect(svg).toMatch(/^<svg .*<\/svg>\s*$/s)
      expect(svg).not.toMatch(/NaN|undefined|null|\[object/)
      const defined = new Set([...svg.matchAll(/ id="([\w-]+)"/g)].map(match => match[1]))
      for (const [, used] of svg.matchAll(/url\(#(\w+)\)/g)) expect(defined).toContain(used)
    }
  })

  it('use every drawing, and each drawing once', () => {
    const named = [...[...GOODS, ...EVIDENCE].flatMap(({ pictures }) => pictures), ...DOCUMENT_PICTURES]
    const used = named.map(name => path.basename(drawingOf(name)))
    expect(used.sort()).toEqual(readdirSync(path.dirname(drawingOf('any'))).sort())
  })

  it('have a title each, by which an interrupted demo finds them again', () => {
    expect(new Set(GOODS.map(goods => goods.title)).size).toBe(GOODS.length)
  })

  it('are spread over most categories, conditions and inspection periods', () => {
    const kinds = (of: 'category' | 'condition' | 'inspectionPeriod') => new Set(GOODS.map(goods => goods[of])).size
    expect(kinds('category')).toBeGreaterThanOrEqual(9)
    expect(kinds('condition')).toBeGreaterThanOrEqual(5)
    expect(kinds('inspectionPeriod')).toBe(4)
    expect(GOODS_ON_SALE.length).toBeGreaterThanOrEqual(12)
  })
})

describe('the deals of the demo', () => {
  it('are each about an item of their own, and no seller is their own buyer', () => {
    expect(new Set(DEMO_DEALS.map(deal => deal.goods)).size).toBe(DEMO_DEALS.length)
    for (const { buyer, goods } of DEMO_DEALS) expect(buyer).not.toBe(goods.seller)
  })

  it('ship under numbers of their own: a number that is used twice needs the buyer’s confirmation', () => {
    const numbers = DEMO_DEALS.flatMap(({ steps }) =>
      steps.flatMap(step => (step.does === 'ship' ? [step.trackingNumber] : [])),
    )
    expect(new Set(numbers).size).toBe(numbers.length)
  })

  it('together contain every kind of step, and a message each', () => {
    const done = new Set(DEMO_DEALS.flatMap(({ steps }) => steps.map(step => step.does)))
    expect(done.size).toBe(20)
    expect(DEMO_DEALS.filter(({ steps }) => steps.some(step => step.does === 'say')).length).toBe(DEMO_DEALS.length)
  })

  it('contain no message twice: an interrupted demo knows by its messages where to continue', () => {
    for (const { steps } of DEMO_DEALS) {
      const texts = steps.flatMap(step => (step.does === 'say' ? [step.text] : []))
      expect(new Set(texts).size).toBe(texts.length)
    }
  })
})
