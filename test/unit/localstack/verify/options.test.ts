import { expect, it } from 'vitest'
import { UsageError } from '../../../../localstack/command.ts'
import { readVerifyOrder } from '../../../../localstack/verify/options.ts'

it('only the address is required', () => {
  expect(readVerifyOrder(['--url', 'https://hooks.example.com'])).toEqual({
    url: new URL('https://hooks.example.com'),
    stage: undefined,
    extras: { burst: false, retry: false, long: false },
    isJson: false,
    report: undefined,
  })
})

it.each([
  [[]],
  [['https://hooks.example.com']],
  [['--url', 'ftp://hooks.example.com']],
  [['--url', 'https://ada@hooks.example.com']],
  [['--url', 'https://hooks.example.com/dev']],
  [['--url', 'https://hooks.example.com?token=t']],
  [['--url', 'https://hooks.example.com', '--token', 't']],
  [['--url', 'https://hooks.example.com', '--stage', '../prod']],
])('%j is wrong usage', (args) => {
  expect(() => readVerifyOrder(args)).toThrow(UsageError)
})
