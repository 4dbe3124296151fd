import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { CreateListing } from '@holdfast/contracts/listings'
import { describe, expect, it } from '@jest/globals'
import { GOODS } from './goods.js'
import { GOODS_ON_SALE } from './goods-on-sale.js'
import { drawingOf } from './pictures.js'
import { STORIES } from './stories.js'

const legalAcceptance = {
  termsAccepted: true,
  escrowAgreement: true,
  harmlessClause: true,
  digitalSignature: 'Maya Lindqvist',
  signatureDate: '2026-11-21T12:00:00Z',
}

describe('the items of the demo', () => {
  it.each(GOODS.map(goods => [goods.title, goods] as const))('"%s" can be offered as it is', (_, goods) => {
    const { pictures, seller: _seller, ...offer } = goods
    expect(CreateListing.safeParse({ ...offer, legalAcceptance }).error).toBeUndefined()
    expect(Number(goods.price)).toBeGreaterThanOrEqual(18)
    expect(Number(goods.price)).toBeLessThanOrEqual(4800)
    expect(goods.description.split(/[.!?]\s/).length).toBeGreaterThanOrEqual(3)
    expect(pictures.length).toBeGreaterThanOrEqual(2)
  })

  it.each(GOODS.map(goods => [goods.title, goods] as const))(
    '"%s" has pictures that are drawn to the end',
    (_, goods) => {
      for (const name of goods.pictures) {
        const svg = readFileSync(drawingOf(name), 'utf8')
        expect(svg).toMatch(/^<svg .*<\/svg>\s*$/s)
        expect(svg).not.toMatch(/NaN|undefined|null|\[object/)
        const defined = new Set([...svg.matchAll(/ id="([\w-]+)"/g)].map(match => match[1]))
        for (const [, used] of svg.matchAll(/url\(#(\w+)\)/g)) expect(defined).toContain(used)
      }
    },
  )

  it('use every drawing, and each drawing once', () => {
    const used = GOODS.flatMap(goods => goods.pictures.map(name => path.basename(drawingOf(name))))
    expect(used.sort()).toEqual(readdirSync(path.dirname(drawingOf('any'))).sort())
  })

  it('have a title each, by which a demo that broke off finds them again', () => {
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
  it('are each about an item of their own, which nobody buys from themselves', () => {
    expect(new Set(STORIES.map(story => story.goods)).size).toBe(STORIES.length)
    for (const { buyer, goods } of STORIES) expect(buyer).not.toBe(goods.seller)
  })

  it('ship under numbers of their own: a number that is used twice needs the buyer’s word', () => {
    const numbers = STORIES.flatMap(({ steps }) =>
      steps.flatMap(step => (step.does === 'ship' ? [step.trackingNumber] : [])),
    )
    expect(new Set(numbers).size).toBe(numbers.length)
  })

  it('between them do everything that can be done, and people talk in most', () => {
    const done = new Set(STORIES.flatMap(({ steps }) => steps.map(step => step.does)))
    expect(done.size).toBe(9)
    expect(STORIES.filter(({ steps }) => steps.some(step => step.does === 'say')).length).toBe(STORIES.length)
  })

  it('say nothing twice, since what was said is how a demo that broke off knows where it was', () => {
    for (const { steps } of STORIES) {
      const said = steps.flatMap(step => (step.does === 'say' ? [step.text] : []))
      expect(new Set(said).size).toBe(said.length)
    }
  })
})
