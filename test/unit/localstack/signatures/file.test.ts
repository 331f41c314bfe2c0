import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { StartError } from '../../../../localstack/errors.ts'
import { readVectors } from '../../../../localstack/signatures.ts'
import { temporaryFolder } from '../../../support/stack.ts'

const VECTOR = {
  id: 'a',
  scheme: 'twilio-form',
  method: 'POST',
  url: 'https://h/',
  secret: 's',
  secretKind: 'utf8',
  headers: { 'X-A': 'b' },
  bodyBase64: '',
  now: 1,
  toleranceSec: null,
  expected: 'invalid',
}

const folder = temporaryFolder()
afterAll(folder.remove)

function read(content: string) {
  const file = join(folder.path, 'vectors.json')
  writeFileSync(file, content)
  return readVectors(file)
}

describe('a file of vectors', () => {
  it('names a scheme like the table', () => {
    expect(read(JSON.stringify({ vectors: [VECTOR] }))).toMatchObject([{ id: 'a', scheme: 'twilio' }])
  })

  it.each([
    ['no JSON', '{', 'vectors.json: is no JSON'],
    ['JSON of another structure', '[]', 'vectors.json: the file: '],
    ['a vector of an unknown scheme', { scheme: 'nope' }, 'vectors.0.scheme: must be the name of a scheme'],
    ['a vector of a scheme with an inherited name', { scheme: '__proto__' }, 'must be the name of a scheme'],
    ['a vector with two headers in one', { headers: { a: ['b', 'c'] } }, 'vectors.0.headers.a: '],
    ['a vector whose body is not base64', { bodyBase64: '{}' }, 'vectors.0.bodyBase64: must be base64'],
    ['a vector with an unknown expectation', { expected: 'policy' }, 'vectors.0.expected: '],
    ['a vector without a secret', { secret: undefined }, 'vectors.0.secret: '],
  ])('is refused with %s', (_, content, message) => {
    const text = typeof content === 'string' ? content : JSON.stringify({ vectors: [{ ...VECTOR, ...content }] })
    expect(() => read(text)).toThrow(StartError)
    expect(() => read(text)).toThrow(message)
  })

  it('is refused when it does not exist', () => {
    expect(() => readVectors(join(folder.path, 'missing.json'))).toThrow('missing.json: cannot be read')
    expect(() => readVectors(folder.path)).toThrow('cannot be read')
  })
})
