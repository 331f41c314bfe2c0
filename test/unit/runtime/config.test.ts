import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Config,
  ConfigError,
  choice,
  decimal,
  listOf,
  loadConfig,
  type Rule,
  text,
  whole,
  withDefault,
} from '../../../lib/runtime/config.ts'

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

describe('a whole number', () => {
  it.each(['1', '007', '10'])('is written in digits: %s', (text) => {
    expect(whole(1, 10).read(text)).toBe(Number(text))
  })

  it.each(['', ' 1', '1.5', '-1', '1e1', '0', '11', '٣', '9'.repeat(400)])(
    'is nothing else, and never outside of its bounds: %s',
    (text) => {
      expect(() => whole(1, 10).read(text)).toThrow(/^must be/)
    },
  )
})

describe('a decimal number', () => {
  it.each([
    ['0.05', 0.05],
    ['5', 5],
    ['10.0', 10],
  ])('may be a fraction: %s', (text, value) => {
    expect(decimal(0, 10).read(text)).toBe(value)
  })

  it.each(['.5', '5.', '1,5', '-0.1', '10.01', 'Infinity'])('is nothing else: %s', (text) => {
    expect(() => decimal(0, 10).read(text)).toThrow(/^must be/)
  })

  it('is String’s form of a number within bounds', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10_000 }), (hundredths) => {
        expect(decimal(0, 100).read(String(hundredths / 100))).toBe(hundredths / 100)
      }),
    )
  })
})

describe('a list', () => {
  it('ignores blanks around its elements, and empty elements', () => {
    expect(listOf(' a, b ,,c,')).toEqual(['a', 'b', 'c'])
    expect(listOf(' ')).toEqual([])
  })
})
