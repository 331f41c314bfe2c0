import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { provider, sample } from '../../../../lib/webhooks/providers/twilio.ts'
import { START } from '../../../support/fakes/clock.ts'
import { inFull } from '../../../support/full-runs.ts'
import { readingOf, signedCall } from '../../../support/signed-call.ts'
import { receiverFor, signedBy } from '../../../support/webhook-receiver.ts'

const URL = 'https://hooks.example.com/webhooks/twilio'
const MAC = 'AAAA'

describe('Twilio', () => {
  const read = (body: string | Buffer, type?: string, url = URL) =>
    readingOf(provider.scheme, signedCall({ 'x-twilio-signature': MAC, 'content-type': type }, body, { url }))
  const signedOf = (body: string | Buffer, type?: string, url?: string) => read(body, type, url)?.signed
  const FORM = 'application/x-www-form-urlencoded'

  it.each([
    ['by name', 'To=2&From=1', 'From1To2'],
    ['by name in code units, capitals first', 'a=1&B=2', 'B2a1'],
    ['decoded', 'Body=a+b%26%C3%A9', 'Bodya b&é'],
    ['without a value', 'Digits=&To', 'DigitsTo'],
    ['of one name by value', 'M=b&M=a', 'MaMb'],
    ['of one name and value once', 'M=a&N=c&M=b&M=a', 'MaMbNc'],
    ['of one name and value at the end once', 'M=a&M=a', 'Ma'],
    ['of one value and another name', 'A=x&B=x&B=y', 'AxBxBy'],
  ])('signs the address and the fields of a form, %s', (_, body, fields) => {
    expect(signedOf(body, FORM)).toBe(`${URL}${fields}`)
    expect(signedOf(body, `${FORM.toUpperCase()}; charset=UTF-8`)).toBe(`${URL}${fields}`)
  })

  it('signs only the address when there is no body', () => {
    expect(signedOf('')).toBe(URL)
  })

  it('signs another body by its hash in the address', () => {
    const body = '{"a":1}'
    const url = `${URL}?bodySHA256=${createHash('sha256').update(body).digest('hex')}`
    const reading = { signatures: ['000000'], signedAt: undefined, signed: url }
    expect(read(body, 'application/json', url)).toEqual(reading)
    expect(read('{"a":2}', 'application/json', url)).toBeUndefined()
    expect(read('', 'application/json', url)).toBeUndefined()
    expect(read('a=1', FORM, url)).toBeUndefined()
  })

  it.each([
    ['another body without its hash', signedOf('{"a":1}', 'application/json')],
    ['a body without a type', signedOf('a=1')],
    ['a form that is not UTF-8', signedOf(Buffer.from([0x61, 0x3d, 0xff]), FORM)],
    ['an invalid address', readingOf(provider.scheme, signedCall({ 'x-twilio-signature': MAC }, '{}', { url: 'x' }))],
  ])('does not sign %s', (_, signed) => {
    expect(signed).toBeUndefined()
  })

  const TOO_LARGE = expect.objectContaining({ code: 'PAYLOAD_TOO_LARGE' })

  it('W38 a form of more than a thousand fields is not parsed', () => {
    expect(signedOf('a=1&'.repeat(999), FORM)).toBeDefined()
    const parse = vi.fn()
    vi.stubGlobal('URLSearchParams', parse)
    expect(() => signedOf('a=1&'.repeat(1000), FORM)).toThrow(TOO_LARGE)
    vi.unstubAllGlobals()
    expect(parse).not.toHaveBeenCalled()
  })

  it('W38 a form of more than 256 KiB is not parsed', () => {
    expect(signedOf(`a=${'b'.repeat(262_142)}`, FORM)).toBeDefined()
    expect(() => signedOf(`a=${'b'.repeat(262_143)}`, FORM)).toThrow(TOO_LARGE)
  })
})

describe('the port in the address of a signed call', () => {
  const spellingsOf = (url: string) =>
    provider.scheme
      .read(signedCall({ 'x-twilio-signature': MAC }, '', { url }))
      ?.alsoSigned?.()
      .map((parts) => parts.join(''))

  it.each([
    ['https://a.example/x?b=1:2', ['https://a.example/x?b=1:2', 'https://a.example:443/x?b=1:2']],
    ['http://a.example/x', ['http://a.example/x', 'http://a.example:80/x']],
    ['https://a.example:8443/x', ['https://a.example/x', 'https://a.example:443/x']],
    ['https://a.example', ['https://a.example', 'https://a.example:443']],
  ])('may be omitted or explicit: %s', (url, spellings) => {
    expect(spellingsOf(url)).toEqual(spellings)
  })

  it.each(['https://hooks.example.com:443', 'https://hooks.example.com'])(
    'causes no second event: signed as %s',
    async (origin) => {
      const receiver = receiverFor('twilio')
      const form = { body: 'MessageSid=SM1&MessageStatus=sent' }
      const call = signedBy('twilio', sample(), form, START)
      const other = signedBy('twilio', sample(), form, START, `${origin}/webhooks/twilio`)
      expect(await receiver.receive(call)).toBe('stored')
      expect(await receiver.receive({ ...other, url: call.url })).toBe('duplicate')
    },
  )
})

describe('W17, W22 the fields of a form of Twilio', () => {
  const FIELDS = 'CallSid=CA1&Digits=12&MessageSid=SM1&MessageStatus=delivered'
  const TEXT = [...new URLSearchParams(FIELDS)].flat().join('')
  const TOKEN = 'i-twilio-idempotency-token'

  /** Where names and values end. */
  const ENDS = [7, 10, 16, 18, 28, 31, 44]

  /** Places at which the signed text is cut into names and values: some where it was, some elsewhere. */
  const cuts = fc
    .tuple(fc.subarray(ENDS), fc.array(fc.nat(TEXT.length), { maxLength: 2 }))
    .map(([same, others]) => [...new Set([...same, ...others])].sort((one, other) => one - other))

  it('S10 of a status callback cause no second event, at any division of the signed text into names and values', async () => {
    const seen = new Set<string>()
    const call = signedBy('twilio', sample(), { body: FIELDS, headers: { [TOKEN]: 't-1' } }, START)
    const property = fc.asyncProperty(cuts, fc.constantFrom('t-1', 't-2', undefined), async (places, token) => {
      const borders = [0, ...places, TEXT.length]
      const pieces = borders.slice(1).map((end, index) => TEXT.slice(borders[index], end))
      const fields = pieces.flatMap((name, index): [string, string][] =>
        index % 2 === 0 ? [[name, pieces[index + 1] ?? '']] : [],
      )
      const receiver = receiverFor('twilio')
      await receiver.receive(call)
      const body = Buffer.from(String(new URLSearchParams(fields)))
      const outcome = await receiver.receive({ ...call, headers: { ...call.headers, [TOKEN]: token }, body })
      seen.add(outcome)
    })
    const examples: [number[], 't-2'][] = [
      [ENDS, 't-2'],
      [[], 't-2'],
      [[1], 't-2'],
    ]
    await fc.assert(property, { numRuns: inFull(500, 100), examples })
    expect(seen).toEqual(new Set(['refused', 'duplicate']))
  })
})
