import { Buffer } from 'node:buffer'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ambiguityOf, isTimeOpen, piecesOf, signedContent } from '../../../../lib/webhooks/configured/template.ts'
import type { Headers } from '../../../../lib/webhooks/schemes/scheme.ts'
import { inFull } from '../../../support/full-runs.ts'

const CALL = { method: 'POST', url: 'https://hooks.example.com/webhooks/acme?a=1' }

function contentOf(
  template: string,
  body = 'the body',
  values = { time: '1700000000', id: 'evt_1' },
  headers: Headers = { 'x-topic': 'order' },
) {
  const pieces = piecesOf(template)
  if (typeof pieces === 'string') throw new Error(pieces)
  const parts = signedContent(pieces, { ...CALL, headers, body: Buffer.from(body) }, values, isTimeOpen(pieces))
  return parts && Buffer.concat(parts.map((part) => Buffer.from(part))).toString()
}

describe('a template', () => {
  it.each([
    ['{body}', 'the body'],
    ['v0:{time}:{body}', 'v0:1700000000:the body'],
    ['{id}.{time}.{body}', 'evt_1.1700000000.the body'],
    ['{time}{body}', '1700000000the body'],
    ['{body}|{time}', 'the body|1700000000'],
    ['{method} {path}\n{header:X-Topic}\n{body}', 'POST /webhooks/acme?a=1\norder\nthe body'],
    ['{url}|{body}', 'https://hooks.example.com/webhooks/acme?a=1|the body'],
  ])('%s is %s', (template, text) => {
    expect(contentOf(template)).toBe(text)
  })

  it('has the SHA-256 of the body in hexadecimal digits', () => {
    // printf abc | sha256sum
    const abc = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
    expect(contentOf('{bodySha256}', 'abc')).toBe(abc)
  })

  it.each([
    ['{}', 'has an unknown part {}'],
    ['{header:a b}{body}', 'has an unknown part {header:a b}'],
    ['{body', 'has a brace without its other half'],
    ['{{body}}', 'has a brace without its other half'],
  ])('%s %s', (template, problem) => {
    expect(piecesOf(template)).toBe(problem)
  })

  it.each([
    ['text.', 'must contain a part of the call, such as {body}'],
    ['{time}.', undefined],
    ['{query:data.id}{header:a}', 'must have text between {query:data.id} and what is next to it'],
    ['{body}.{body}', 'must contain {body} only once'],
    ['{id}{body}', 'must have text between {id} and what is next to it'],
    ['{url}{body}', 'must have text between {url} and what is next to it'],
    ['{body}{header:x-topic}', 'must have text between {header:x-topic} and what is next to it'],
    ['{time}{id}.{body}', undefined],
    ['{id}.{bodySha256}', undefined],
    ['{bodySha256}{id}', undefined],
  ])('%s: %s', (template, problem) => {
    const pieces = piecesOf(template)
    if (typeof pieces === 'string') throw new Error(pieces)
    expect(ambiguityOf(pieces, isTimeOpen(pieces))).toBe(problem)
  })

  it('has no signed text if a part contains the separator at its end', () => {
    expect(contentOf('{id}.{body}', 'the body', { time: '1', id: 'evt.1' })).toBeUndefined()
    expect(contentOf('{body}--{id}', 'the body', { time: '1', id: '-x' })).toBeUndefined()
  })

  it('K15 has different signed texts for different calls', () => {
    const many = inFull(3000)
    let compared = 0
    fc.assert(
      fc.property(TEMPLATE, fc.array(VALUES, { minLength: 2, maxLength: 40 }), (template, calls) => {
        const signed = calls.flatMap((call) => signedBy(template, call))
        // What a template leaves out may differ.
        const told = Map.groupBy(signed, ({ text }) => text).values()
        for (const same of told) expect(new Set(same.map(({ parts }) => parts)).size).toBe(1)
        compared += signed.length
      }),
      { numRuns: many },
    )
    expect(compared).toBeGreaterThan(3 * many)
  })
})

const PART = fc.constantFrom('{body}', '{time}', '{id}', '{header:x-topic}', '{bodySha256}')
const TEMPLATE = fc
  .array(fc.oneof(PART, fc.constantFrom('.', '-', '--', '1')), { minLength: 1, maxLength: 7 })
  .map((pieces) => pieces.join(''))
  .filter((template) => problemOf(template) === undefined)

const TEXT = fc.string({ unit: fc.constantFrom('.', '-', '1', 'a'), maxLength: 5 })
const VALUES = fc.record({
  body: TEXT,
  id: TEXT,
  topic: TEXT,
  time: fc.string({ unit: fc.constantFrom('1', '2'), minLength: 10, maxLength: 10 }),
})

function problemOf(template: string): string | undefined {
  const pieces = piecesOf(template)
  return typeof pieces === 'string' ? pieces : ambiguityOf(pieces, isTimeOpen(pieces))
}

/** The signed text of a call and the parts in it; nothing if the template signs no such call. */
function signedBy(
  template: string,
  { body, id, topic, time }: { body: string; id: string; topic: string; time: string },
) {
  const text = contentOf(template, body, { time, id }, { 'x-topic': topic })
  const values = { body, '{id}': id, '{header:x-topic}': topic, '{time}': time }
  const parts = JSON.stringify(
    Object.entries(values).filter(([name]) => template.includes(name === 'body' ? '{body' : name)),
  )
  return text === undefined ? [] : [{ text, parts }]
}
