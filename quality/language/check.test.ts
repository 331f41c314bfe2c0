import { describe, expect, it } from 'vitest'
import { check } from './check.ts'
import { scanned, titled } from './texts.ts'

const messages = (text: string, isTerse = false) =>
  check(text, isTerse).map(({ line, message }) => `${line} ${message}`)

describe('a text is hard to read', () => {
  it.each([
    ['a phrase that has a plainer form', 'It is kept for whoever asks.', '1 "whoever": name the person'],
    [
      'a phrase over two lines',
      'The table is held\nagainst the code.',
      '1 "held against": checks against, compares with',
    ],
    ['a British spelling', 'The colour of the catalogue.', '1 "colour": -or'],
    ['a question word as the subject', 'What is stored is answered.', '1 "What …" as the subject: name it'],
    ['a phrase in a heading', '# One\n\n## Ways into it', '3 "Ways into": authentication method'],
    ['a phrase in a table', '| a |\n|---|\n| it tells why |', '3 "tells": says, lists, shows, reports'],
  ])('for %s', (_, text, message) => {
    expect(messages(text)).toContain(message)
  })

  it('for a sentence of more than forty words', () => {
    expect(messages(`${'word '.repeat(40)}end.`)).toEqual(['1 41 words in a sentence, 40 are too many'])
    expect(messages(`${'word '.repeat(39)}end.`)).toEqual([])
  })

  it('for long sentences on average, if there are enough of them', () => {
    const long = `W${'ord word'.repeat(1)} ${'word '.repeat(20)}end. `
    expect(messages(long.repeat(8))).toEqual([expect.stringContaining('words in an average sentence')])
    expect(messages(long.repeat(7))).toEqual([])
  })
})

describe('a text is plain', () => {
  it.each([
    ['its code has such a phrase', 'Run `npm run whoever` first.\n\n```sh\necho whoever\n```'],
    ['it asks a question', 'What does it cost?'],
    ['a longer word has such a word in it', 'The engine retells nothing; labels are honored.'],
  ])('although %s', (_, text) => {
    expect(messages(text)).toEqual([])
  })

  it('although it is a phrase and no sentence, where phrases are usual', () => {
    expect(messages('What a page may load.', true)).toEqual([])
  })
})

describe('the texts of a source', () => {
  const found = (source: string) =>
    check(scanned(source, 'message'), true).map(({ line, message }) => `${line} ${message}`)
  const long = 'word '.repeat(21).trim()

  it('are found in quotes and between elements, with their lines', () => {
    expect(found("\nconst text = 'It is kept for whoever asks'")).toEqual(['2 "whoever": name the person'])
    expect(found('<p>It is kept for whoever asks</p>')).toEqual(['1 "whoever": name the person'])
  })

  it('are separate sentences', () => {
    expect(found(`const REASONS = {\n  a: '${long}',\n  b: '${long}',\n}`)).toEqual([])
    expect(found(`const REASON = '${long} ${long}'`)).toEqual(['1 42 words in a sentence, 40 are too many'])
  })

  it('are one sentence for each option of a help text', () => {
    expect(found(`const USAGE = \`\n  --one   ${long}\n  --two   ${long}\n\``)).toEqual([])
    expect(found(`const USAGE = \`\n  --one   ${long}\n          ${long}\n\``)).toHaveLength(1)
  })

  it('do not begin at a quotation mark in a regular expression', () => {
    expect(found(`return /['\`]/.test(text)\nfor whoever asks, text of code\n'a' \`b\``)).toEqual([])
  })

  it('exclude a comment between two types', () => {
    expect(found('let a: Set<A>\n/** It is kept for whoever asks. */\nlet b: Set<B>')).toEqual([])
  })
})

describe('in a comment', () => {
  const commented = (source: string) => messages(scanned(source, 'comment'), true)

  it('the words and the line are checked', () => {
    expect(commented('const a = 1\n/** For whoever asks. */')).toEqual(['2 "whoever": name the person'])
    expect(commented("const a = 'whoever' // It tells.")).toEqual(['1 "tells": says, lists, shows, reports'])
  })

  it('a name is not checked', () => {
    const names = '/**\n * Prints.\n * @param tell prints a line\n * @param {() => void} anew prints it again\n */'
    expect(commented(names)).toEqual([])
    expect(commented('/** @param print tells a line */')).toEqual(['1 "tells": says, lists, shows, reports'])
  })

  it('the text of a license is not checked', () => {
    expect(commented('/*!\nPermission is hereby granted.\n*/\n// Hereby ours.')).toEqual([
      '4 "Hereby": split the sentence',
    ])
  })
})

describe('the titles in a test file', () => {
  it.each([
    ['a test', "  it('is kept', () => {})", '- is kept'],
    ['a group', "describe.skipIf(a === 'b')('a store', () => {})", '- a store'],
    ['a test whose title is on the next line', "it(\n  'is kept',\n  async () => {})", '\n- is kept\n'],
    ['a table', "it.each([\n  [1],\n])(\n  'is kept %s', () => {})", '\n\n\n- is kept %s'],
    ['a row of a table', "it.each([\n  ['a late event', 'b'],\n])('%s', () => {})", '\n- a late event\n- %s'],
    ['a row of several lines', "it.each([\n  [\n    'a late event',\n    'b',\n  ]", '\n\n- a late event\n\n'],
    ['a quote', String.raw`it('the owner\'s "key"', () => {})`, String.raw`- the owner\'s "key"`],
    ['a value', `it(\`is kept in \${store}\`, () => {})`, '- is kept in X'],
  ])('include that of %s, on its line', (_, source, titles) => {
    expect(titled(source)).toBe(titles)
  })

  it('exclude values', () => {
    expect(titled("  ['whoever', 1],\n  expect(read('whoever asks')).toBe('whoever')")).toBe('\n')
  })
})
