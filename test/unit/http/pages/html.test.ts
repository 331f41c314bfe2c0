import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { html, jsonBlock } from '../../../../lib/http/pages/html.ts'
import { anyText } from '../../../support/any-text.ts'

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
}

describe('C03 a template', () => {
  it.each([
    [`"'&`, '&quot;&#39;&amp;'],
    ['&lt;', '&amp;lt;'],
    ['$& $1', '$&amp; $1'],
  ])('escapes %j', (text, escaped) => {
    expect(html`<p title="${text}">${text}</p>`.text).toBe(`<p title="${escaped}">${escaped}</p>`)
  })

  it('inserts templates unchanged, one or many', () => {
    const inner = html`<b>${'<'}</b>`
    expect(html`<p>${inner}${[inner, inner]}</p>`.text).toBe('<p><b>&lt;</b><b>&lt;</b><b>&lt;</b></p>')
  })

  it('omits missing parts', () => {
    expect(html`<p>${undefined}${[]}</p>`.text).toBe('<p></p>')
  })

  it('keeps every text in its place, and loses none of it', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        const escaped = html`${text}`.text
        expect(escaped).not.toMatch(/[<>"']/)
        expect(escaped.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? '')).toBe(text)
      }),
    )
  })
})

describe('C03 data for a script', () => {
  const contentOf = (text: string) =>
    /^<script type="application\/json" id="facts">(.*)<\/script>$/s.exec(text)?.[1] ?? ''

  it('cannot end its element or begin a comment, and loses nothing', () => {
    const hostile = fc.oneof(anyText(), fc.constantFrom('</script>', '<!--<script>', '\u2028'))
    fc.assert(
      fc.property(fc.dictionary(hostile, hostile), (data) => {
        const content = contentOf(jsonBlock('facts', data).text)
        expect(content).not.toContain('<')
        expect(JSON.parse(content)).toEqual(data)
      }),
    )
  })
})
