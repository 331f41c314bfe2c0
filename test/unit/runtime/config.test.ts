import { describe, expect, it } from 'vitest'
import { type Config, ConfigError, loadConfig, type Rule } from '../../../lib/runtime/config.ts'
import { choice, text, whole, withDefault } from '../../../lib/runtime/settings/values.ts'

const SETTINGS = {
  NAME: text,
  COUNT: withDefault(whole(1, 10), 3),
  COLOUR: withDefault(choice(['red', 'green']), 'red'),
}

function problemsOf(load: () => unknown): readonly string[] {
  try {
    load()
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  throw new Error('nothing was wrong')
}

describe('loadConfig', () => {
  it('reads settings and adds defaults', () => {
    expect(loadConfig(SETTINGS, [], { NAME: 'n', COLOUR: 'green', OTHER: 'x' })).toEqual({
      NAME: 'n',
      COUNT: 3,
      COLOUR: 'green',
    })
  })

  it('treats an empty variable as unset', () => {
    expect(loadConfig(SETTINGS, [], { NAME: 'n', COUNT: '', COLOUR: '' }).COUNT).toBe(3)
    expect(problemsOf(() => loadConfig(SETTINGS, [], { NAME: '' }))).toEqual(['NAME: must be set'])
  })

  it('reports all wrong values together, by name and rule', () => {
    const environment = { COUNT: '11', COLOUR: 'blue' }
    expect(problemsOf(() => loadConfig(SETTINGS, [], environment))).toEqual([
      'COLOUR: must be one of red, green',
      'COUNT: must be at most 10',
      'NAME: must be set',
    ])
  })

  it('K03 quotes no value', () => {
    const load = () => loadConfig(SETTINGS, [], { NAME: 'n', COUNT: 's3cret-count', COLOUR: 's3cret-colour' })
    expect(load).toThrow(ConfigError)
    expect(load).not.toThrow(/s3cret/)
  })

  it('reports a violation of a rule over several settings', () => {
    const rules: readonly Rule<Config<typeof SETTINGS>>[] = [
      { settings: ['NAME'], broken: ({ NAME }) => (NAME === 'n' ? 'NAME: must not be n' : undefined) },
      { settings: ['NAME', 'COUNT'], broken: () => undefined },
      { settings: ['COUNT'], broken: ({ COUNT }) => (COUNT === 3 ? 'COUNT: must not be 3' : undefined) },
    ]
    expect(problemsOf(() => loadConfig(SETTINGS, rules, { NAME: 'n' }))).toEqual([
      'COUNT: must not be 3',
      'NAME: must not be n',
    ])
    expect(loadConfig(SETTINGS, rules, { NAME: 'm', COUNT: '4' }).NAME).toBe('m')
    expect(problemsOf(() => loadConfig(SETTINGS, rules, { NAME: 'n', COLOUR: 'blue', COUNT: 'x' }))).toEqual([
      'COLOUR: must be one of red, green',
      'COUNT: must be a whole number',
      'NAME: must not be n',
    ])
  })
})
