import { describe, expect, it } from 'vitest'
import { UsageError } from '../../../localstack/command.ts'
import { readPreflightCommand } from '../../../localstack/preflight-options.ts'

describe('npm run preflight', () => {
  it('looks at a stage, with the parameters of this run', () => {
    expect(readPreflightCommand(['--stage', 'prod'])).toEqual({ stage: 'prod', overrides: [], json: false })
    const args = ['--stage', 'prod', '--param', 'data=kept', '--param', 'logDays=7', '--json']
    expect(readPreflightCommand(args)).toEqual({ stage: 'prod', overrides: ['data=kept', 'logDays=7'], json: true })
  })

  it.each([
    [[], 'Name a stage that is deployed: --stage prod'],
    [['--stage', 'local'], 'Name a stage that is deployed: --stage prod'],
    [['--stage', 'prod', '--param', 'data'], '--param must be <name>=<value>'],
  ])('rejects %j as wrong usage', (args, message) => {
    expect(() => readPreflightCommand(args)).toThrow(new UsageError(message))
  })
})
