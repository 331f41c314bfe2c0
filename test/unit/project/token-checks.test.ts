import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { TOKEN_STATUSES } from '../../../lib/contract/token-status.ts'
import { TOKEN_CHECKS } from '../../../web/token/places.ts'

/** How the source refuses with a status. */
const refusing = (status: string) => (status === 'EXPIRED' ? 'throw expired(' : `refusal('${status}')`)

it.each(TOKEN_STATUSES)('%s is refused in the file and by the function that the token lab names', (status) => {
  const { file, name } = TOKEN_CHECKS[status]
  const source = readFileSync(file, 'utf8')
  expect(source).toContain(status)
  expect(source).toContain(refusing(status))
  expect(source).toMatch(new RegExp(`function ${name}\\b|async ${name}\\(`))
})

it('the checks are in the order of the statuses', () => {
  expect(Object.keys(TOKEN_CHECKS)).toEqual(TOKEN_STATUSES)
})
