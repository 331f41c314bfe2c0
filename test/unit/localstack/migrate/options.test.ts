import { describe, expect, it } from 'vitest'
import { cursorText, readMigrateCommand } from '../../../../localstack/migrate/options.ts'

describe('npm run migrate', () => {
  it('rewrites the events of the local run', () => {
    expect(readMigrateCommand([])).toEqual({
      stage: 'local',
      table: 'events',
      isDryRun: false,
      rate: 100,
      after: undefined,
      json: false,
    })
  })

  it('continues at a printed cursor', () => {
    const key = { source: 'stripe', eventId: 'ä/1' }
    expect(readMigrateCommand(['--stage', 'prod', '--after', cursorText(key)])).toMatchObject({
      stage: 'prod',
      after: key,
    })
  })

  it.each([
    [['--stage', 'Prod'], '--stage must name a stage'],
    [['--table', 'audit'], '--table must be one of events, '],
    [['--table', 'sessions'], '--table must be one of events, '],
    [['--rate', '0'], '--rate must be a whole number from 1 to 40000'],
    [['--after', 'nonsense'], '--after must be a cursor that a run printed'],
    [['--after', cursorText({ source: 1 })], '--after must be a cursor that a run printed'],
    [['--nothing'], "Unknown option '--nothing'"],
  ])('refuses %j', (args, message) => {
    expect(() => readMigrateCommand(args)).toThrow(message)
  })
})
