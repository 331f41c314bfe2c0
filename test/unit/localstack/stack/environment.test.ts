import { expect, it } from 'vitest'
import { withProvided } from '../../../../localstack/stack/environment.ts'

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
