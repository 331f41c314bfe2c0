import { describe, expect, it } from 'vitest'
import { command } from '../../test/support/command.ts'
import { hasSpin } from '../model/spin.ts'

describe('wrong usage is refused with 2', () => {
  it.each([
    ['simulate', [], 'Say how many --worlds'],
    ['simulate', ['--worlds', '0'], '--worlds must be'],
    ['simulate', ['--worlds', '1', '--weather', 'sunny'], '--weather must be'],
    ['simulate', ['--replay', '{}'], '--replay must be'],
    ['model', ['--tell', 'nothing'], '--tell must be'],
    ['model', ['--slow'], '--slow'],
    ['fuzz', [], 'Say how many --inputs, or --minutes'],
    ['fuzz', ['--inputs', '1', '--minutes', '1'], 'Say how many --inputs, or --minutes'],
    ['fuzz', ['--inputs', '1', '--target', 'everything'], '--target must be'],
    ['fuzz', ['--target', 'cookies', '--again', 'a=b'], '--again must be'],
    ['fuzz', ['--again', '"a"'], '--again needs a --target'],
    ['chaos', ['--kills', 'many'], '--kills must be a whole number from 1 to 10000'],
    ['chaos', ['--kills', '9', '--events', '3'], '--events must be a whole number from 9 to 1000000'],
    ['chaos', ['--speed', '3'], "Unknown option '--speed' (npm run quality -- chaos -- --help shows more)"],
    ['mutants', ['--part', 'http'], '--part must be one of access, auth, webhooks, stomp'],
    ['mutants', ['--part', 'auth', '--keep'], '--keep keeps figures of all parts only'],
    ['mutants', ['--all'], "Unknown option '--all'"],
    ['sdks', ['--only', 'nobody'], '--only must be one of the sources'],
    ['bench', ['everything'], 'everything is no part of the benchmarks'],
    ['report', ['--all'], "Unknown option '--all'"],
  ])('%s %j', async (name, args, message) => {
    const { code, stderr } = await command('quality', [name, ...args])
    expect(stderr).toContain(message)
    expect(code).toBe(2)
  })
})

it.each([[], ['nothing'], ['constructor']])(
  'an unknown part is answered with the list of parts: %j',
  async (...args) => {
    const { code, stdout } = await command('quality', args)
    expect(stdout).toMatch(/^ {2}fuzz +does any input break a parser/m)
    expect(code).toBe(2)
  },
)

describe('npm run quality -- simulate', () => {
  it('simulates worlds on all cores', async () => {
    const { code, stdout } = await command('quality', ['simulate', '--worlds', '40', '--seed', '7'])
    expect(stdout).toMatch(/^storm: seeds 7 to 18, 0 violations$/m)
    expect(stdout).toMatch(/42 worlds, [\d,]+ calls \(dies before .*\), .* 0 violations, \d+ s/)
    expect(code).toBe(0)
  })

  it('prints a course step by step', async () => {
    const course = { weather: 'watch', steps: [{ kind: 'pass', milliseconds: 10 }], memory: 0, pause: 0 }
    const { code, stdout } = await command('quality', ['simulate', '--replay', JSON.stringify(course)])
    expect(stdout).toContain('"milliseconds":10')
    expect(stdout).toContain('nothing went wrong')
    expect(code).toBe(0)
  })
})

describe('npm run quality -- model', () => {
  it.skipIf(!hasSpin())(
    'finds no violation, and finds one without a guard, within the smallest bounds',
    async () => {
      const { code, stdout } = await command('quality', ['model', '--quick'])
      expect(stdout).toMatch(/^the protocol, safety, .*: holds/m)
      expect(stdout).toMatch(/^the deliveries, safety, .*: holds/m)
      expect(stdout).toMatch(/^a delivery ended by anyone: goes wrong: assertion violated/m)
      expect(stdout).toMatch(/^a row put without a time for the scan: goes wrong: acceptance cycle/m)
      expect(stdout).toMatch(/^a put over what is there: goes wrong: assertion violated/m)
      expect(stdout).toMatch(/^no scan: goes wrong: acceptance cycle/m)
      expect(code).toBe(0)
    },
    300_000,
  )

  it('does nothing if spin is not installed', async () => {
    const { code, stderr } = await command('quality', ['model'], { PATH: '/nowhere', CI: '' })
    expect(stderr).toBe('skipped: the model of the retry protocol needs spin and gcc\n')
    expect(code).toBe(0)
  })
})

describe('npm run quality -- fuzz', () => {
  it('tries every parser, and reports inputs that reached new code', async () => {
    const { code, stdout } = await command('quality', ['fuzz', '--inputs', '400', '--target', 'json-bodies'])
    expect(stdout).toMatch(/^json-bodies: 400 inputs, [\d,]+ a second, \d+ reached new code/m)
    expect(stdout).toMatch(/400 inputs for 1 parsers from seed 1: 0 throws, wrong answers or hangs/)
    expect(code).toBe(0)
  })

  it('tries one input again', async () => {
    const { code, stdout } = await command('quality', ['fuzz', '--target', 'cookies', '--again', '"a=b"'])
    expect(stdout).toBe('nothing goes wrong\n')
    expect(code).toBe(0)
  })
})
