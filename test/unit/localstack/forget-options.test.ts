import { describe, expect, it } from 'vitest'
import { readForgetCommand } from '../../../localstack/forget-options.ts'

describe('npm run forget', () => {
  it('only lists without --delete', () => {
    expect(readForgetCommand(['--text', ' ada@example.com '])).toEqual({
      text: 'ada@example.com',
      filter: {},
      mode: 'list',
      url: undefined,
      user: undefined,
      json: false,
    })
  })

  it('accepts a filter, and deletes, with force on request', () => {
    const filter = ['--source', 'stripe', '--from', '2026-11-01T00:00:00', '--to', '2026-11-30T00:00:00']
    expect(readForgetCommand(['--text', 'ada', ...filter, '--delete'])).toMatchObject({
      filter: { source: 'stripe', from: '2026-11-01T00:00:00', to: '2026-11-30T00:00:00' },
      mode: 'delete',
    })
    expect(readForgetCommand(['--text', 'ada', '--delete', '--force'])).toMatchObject({ mode: 'force' })
  })

  it.each([
    [['--text', ' a '], 'at least 3 characters'],
    [['--text', 'ada', '--force'], '--force needs --delete'],
    [['--text', 'ada', '--url', 'ftp://here'], 'must be an http or https address'],
  ])('refuses %j', (args, message) => {
    expect(() => readForgetCommand(args)).toThrow(message)
  })
})
