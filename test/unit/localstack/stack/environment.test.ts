import { expect, it } from 'vitest'
import { environmentOf, withProvided } from '../../../../localstack/stack/environment.ts'
import { portsAt } from '../../../../localstack/stack/ports.ts'

it.each([
  ['--import=a.ts', '--enable-source-maps', '--import=a.ts --enable-source-maps'],
  [undefined, '--enable-source-maps', '--enable-source-maps'],
  ['--import=a.ts', undefined, '--import=a.ts'],
])('Node’s options of a run (%s) and of the functions (%s) add up', (run, provided, all) => {
  expect(withProvided({ NODE_OPTIONS: run }, { NODE_OPTIONS: provided })).toEqual({ NODE_OPTIONS: all })
})

it('any other variable has the value of the functions, if they have one', () => {
  const given = withProvided({ STAGE: 'run', HOME: '/home' }, { STAGE: 'local' })
  expect(given).toMatchObject({ STAGE: 'local', HOME: '/home' })
})

it('given secrets of webhooks take the place of all that a run made itself', () => {
  const made = { JWT_KEYS: 'local:key', WEBHOOK_SECRETS: '{"github":"demo","stripe":"demo"}', DELIVERY_SECRETS: '{}' }
  const WEBHOOK_SECRETS = '{"stripe":"whsec_given"}'
  expect(environmentOf({ WEBHOOK_SECRETS }, portsAt(0), made)).toMatchObject({ WEBHOOK_SECRETS, JWT_KEYS: 'local:key' })
})
