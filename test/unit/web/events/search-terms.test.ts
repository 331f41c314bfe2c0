import { describe, expect, it } from 'vitest'
import { EVERYTHING } from '../../../../web/events/place.ts'
import {
  completed,
  STATUS_TERMS,
  suggestionsFor,
  termsOf,
  termText,
  typed,
  withoutTerm,
  withTerm,
} from '../../../../web/events/search-terms.ts'

const KNOWN = {
  source: ['order-status', 'payment', 'stripe'],
  type: ['PAYMENT', 'charge.refunded', 'payment_intent.succeeded'],
  status: STATUS_TERMS,
}

it.each([
  ['  two words ', 'two words', undefined],
  ['source:str', '', { name: 'source', value: 'str' }],
  ['order-1 Status:', 'order-1', { name: 'status', value: '' }],
  ['urn:source:x', 'urn:source:x', undefined],
  ['source:stripe x', 'source:stripe x', undefined],
])('typed text %j searches for %j, with the term %j', (text, q, term) => {
  expect(typed(text)).toEqual({ q, term })
})

describe('suggestions', () => {
  const texts = (text: string) => suggestionsFor(text, KNOWN).map(termText)

  it.each([
    ['all values of a name', 'source:', ['source:order-status', 'source:payment', 'source:stripe']],
    [
      'values in any case, those with the same beginning first',
      'type:PAY',
      ['type:PAYMENT', 'type:payment_intent.succeeded'],
    ],
    ['values for a word without a name', 'a str', ['source:stripe']],
    ['none for one letter', 's', []],
  ])('are %s', (_, text, expected) => {
    expect(texts(text)).toEqual(expected)
  })
})

describe('a term', () => {
  it.each([
    ['a known source in any case', { name: 'source', value: 'Stripe' }, { name: 'source', value: 'stripe' }],
    ['an unknown type', { name: 'type', value: 'x.y' }, { name: 'type', value: 'x.y' }],
    ['not an unknown status', { name: 'status', value: 'lost' }, undefined],
    ['nothing without a value', { name: 'source', value: '' }, undefined],
  ] as const)('becomes %s', (_, term, expected) => {
    expect(completed(term, KNOWN)).toEqual(expected)
  })

  it('is added to the others of its name once, as the API names it, and removed again', () => {
    const received = { name: 'status', value: 'received' } as const
    const filter = { ...EVERYTHING, ...withTerm({ ...EVERYTHING, status: ['PROCESSED'] }, received) }
    expect(filter.status).toEqual(['PROCESSED', 'RECEIVED'])
    expect(withTerm(filter, received)).toEqual({ status: ['PROCESSED', 'RECEIVED'], dead: '' })
    expect(termsOf(filter).map(termText)).toEqual(['status:processed', 'status:received'])
    expect(withoutTerm(filter, received)).toEqual({ status: ['PROCESSED'] })
  })

  it.each([
    ['failed', { status: ['FAILED'], dead: 'true' }],
    ['retrying', { status: ['FAILED', 'RETRY'], dead: 'false' }],
  ] as const)('status:%s means what rows of that name are, and takes the place of other statuses', (value, meant) => {
    const filter = { ...EVERYTHING, ...withTerm({ ...EVERYTHING, status: ['PROCESSED'] }, { name: 'status', value }) }
    expect(filter).toEqual({ ...EVERYTHING, ...meant })
    expect(termsOf(filter).map(termText)).toEqual([`status:${value}`])
    expect(withoutTerm(filter, { name: 'status', value })).toEqual({ status: [], dead: '' })
  })
})
