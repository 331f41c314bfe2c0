import { describe, expect, it } from 'vitest'
import { settingsIn } from '../../../lib/runtime/secret-text.ts'

const read = (text: string) => settingsIn(text, 'gatehouse/prod/tokens', ['A', 'B'])

describe('the text of a secret', () => {
  it.each([
    ['texts', '{"A":"one","B":""}', { A: 'one', B: '' }],
    ['JSON unchanged, or as a text', '{"A":{"x":["y"]},"B":"{\\"x\\":1}"}', { A: '{"x":["y"]}', B: '{"x":1}' }],
    ['nothing for a missing name, so that no environment replaces it', '{"A":"one"}', { A: 'one', B: undefined }],
    ['no other name', '{"A":"one","STAGE":"local","__proto__":"x"}', { A: 'one', B: undefined }],
  ])('holds %s', (_, text, settings) => {
    expect(read(text)).toStrictEqual(settings)
  })

  it.each(['top-secret', '"top-secret"', '["top-secret"]', 'null'])('is refused, and not quoted: %s', (text) => {
    expect(() => read(text)).toThrow('gatehouse/prod/tokens: must be a JSON object')
    expect(() => read(text)).not.toThrow(/top/)
  })
})
