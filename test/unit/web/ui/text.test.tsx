import { renderToString } from 'preact-render-to-string'
import { expect, it } from 'vitest'
import { Facts } from '../../../../web/ui/text.tsx'

it.each([undefined, null, false, ''])('a row without a value is omitted: %j', (value) => {
  expect(renderToString(<Facts rows={[['Term', value]]} />)).toBe('<dl class="facts"></dl>')
})

it('zero is a value', () => {
  expect(renderToString(<Facts rows={[['Failures', 0]]} />)).toContain('<dt>Failures</dt><dd class="wrap">0</dd>')
})
