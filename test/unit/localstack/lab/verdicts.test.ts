import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { reportVerdicts, type Verdict } from '../../../../localstack/lab/verdicts.ts'
import { pythonWith } from '../../../support/python.ts'
import { temporaryFolder } from '../../../support/stack.ts'

const folder = temporaryFolder()
afterAll(folder.remove)

const ODD = 'It sent <b>&amp;"\'\u0000\u001b[31m\ud83d\ude00 in two\nlines.'
const verdict = (name: string, ok: boolean, did = 'It did so.'): Verdict => {
  return { name, ok, did, should: 'It should wait.', why: 'RFC 9110' }
}
const VERDICTS = [verdict('good', true), verdict('bad', false, ODD)]

function reported(expected: string | undefined, junit?: string, verdicts: readonly Verdict[] = VERDICTS) {
  const list = join(folder.path, 'list.txt')
  if (expected !== undefined) writeFileSync(list, expected)
  const printed: [object | undefined, string][] = []
  const given = { ...(expected !== undefined && { 'expected-failures': list }), ...(junit && { junit }) }
  const code = reportVerdicts('lab', verdicts, given, (value, text) => printed.push([value, text]))
  return { code, outcomes: printed.map(([value]) => (value as { readonly outcome: string }).outcome), printed }
}

describe('a list of expected failures', () => {
  it.each([
    ['is not there: a failure fails the command', undefined, 1, ['ok', 'fail']],
    ['is empty: so it does', '\n# nothing yet\n', 1, ['ok', 'fail']],
    ['names what fails: the command succeeds', '# until May\r\n\n  bad  # of its own\r\n', 0, ['ok', 'expected']],
    ['names what passes: the command fails, too', 'bad\ngood', 1, ['fixed', 'expected']],
  ])('%s', (_, expected, code, outcomes) => {
    expect(reported(expected)).toMatchObject({ code, outcomes })
  })

  it('with an unknown name is refused, and so is one that cannot be read', () => {
    expect(() => reported('bad\nbda')).toThrow(/names bda: the names are good, bad$/)
    const given = { 'expected-failures': join(folder.path, 'nowhere') }
    expect(() => reportVerdicts('lab', VERDICTS, given, () => {})).toThrow('cannot be read')
  })
})

describe('a line', () => {
  it('says of a failure what was done, what was right, and by which rule; of the rest what was done', () => {
    const { printed } = reported(undefined, undefined, [verdict('good', true), verdict('bad', false)])
    expect(printed.map(([, text]) => text)).toEqual([
      'ok        good              It did so.\n',
      'fail      bad               It did so. It should wait. (RFC 9110)\n',
    ])
  })
})

const READ = `
import json, sys, xml.etree.ElementTree as tree
suite, = tree.parse(sys.argv[1]).getroot()
cases = [[case.get("name"), [[each.tag, each.get("message"), each.text] for each in case]] for case in suite]
print(json.dumps({"counts": {**suite.attrib}, "cases": cases}))
`
const PYTHON = pythonWith('xml.etree.ElementTree')

describe.skipIf(!PYTHON)('the JUnit file, as another XML reader sees it,', () => {
  const read = (file: string) => JSON.parse(spawnSync(PYTHON ?? '', ['-c', READ, file], { encoding: 'utf8' }).stdout)

  it('has a case for each verdict, and every text but control characters', () => {
    const file = join(folder.path, 'junit.xml')
    reported('new\nold', file, [...VERDICTS, verdict('new', true), verdict('old', false)])
    expect(read(file)).toEqual({
      counts: { name: 'lab', tests: '4', failures: '2', errors: '0', skipped: '1' },
      cases: [
        ['good', []],
        [
          'bad',
          [
            [
              'failure',
              expect.stringContaining('It sent <b>&amp;"\'\ufffd\ufffd[31m\ud83d\ude00'),
              'It should wait. (RFC 9110)',
            ],
          ],
        ],
        ['new', [['failure', 'It passes: strike it from the expected failures.', 'It should wait. (RFC 9110)']]],
        ['old', [['skipped', 'It did so.', null]]],
      ],
    })
    expect(readFileSync(file, 'utf8')).toMatch(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n/)
  })

  it('that cannot be written is named', () => {
    expect(() => reported(undefined, join(folder.path, 'no/where.xml'))).toThrow(/where\.xml cannot be written$/)
  })
})
