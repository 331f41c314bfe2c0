import { describe, expect, it } from 'vitest'
import { PROVIDERS } from '../../../../lib/webhooks/providers/index.ts'
import { isVectorMet, judge, readVectors, secretsOf, type Vector } from '../../../../localstack/signatures.ts'

const VECTORS = readVectors('test/vectors/webhook-signatures.json')

describe('every published vector gets the verdict of a strict receiver', () => {
  it.each(VECTORS)('$id is $expected', (vector) => {
    expect(judge(vector).ok).toBe(vector.expected !== 'invalid')
  })

  it.each(Object.keys(PROVIDERS))('one of them is valid for %s', (name) => {
    expect(VECTORS.some(({ scheme, expected }) => scheme === name && expected !== 'invalid')).toBe(true)
  })
})

describe('a vector', () => {
  const valid = VECTORS.filter(({ expected }) => expected === 'valid')

  it.each(valid)('$id is not accepted with another secret', (vector) => {
    const isAnother = (one: Vector) =>
      one.secretKind === vector.secretKind && JSON.stringify(one.secret) !== JSON.stringify(vector.secret)
    const secret = valid.find(isAnother)?.secret ?? 'another secret'
    expect(judge({ ...vector, secret, secrets: undefined }).ok).toBe(false)
  })

  it('fails when the verdict differs from its expectation', () => {
    for (const vector of valid) expect(isVectorMet({ ...vector, expected: 'invalid' }, judge(vector))).toBe(false)
  })

  it('may contain several secrets, some as JSON Web Keys, some with a name', () => {
    const [vector] = VECTORS
    expect(vector && secretsOf({ ...vector, secrets: ['a', { kty: 'EC' }] })).toEqual([
      { value: 'a' },
      { value: '{"kty":"EC"}' },
    ])
    expect(vector && secretsOf({ ...vector, secret: 'PEM', secretKind: 'RSA public key; webhookId WH-1' })).toEqual([
      { value: 'WH-1:PEM' },
    ])
  })
})
