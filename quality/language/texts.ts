import { globSync, readFileSync } from 'node:fs'

/** A text as Markdown; its lines are those of the file. */
export interface Text {
  readonly file: string
  readonly text: () => string
}

const read = (file: string) => readFileSync(file, 'utf8')

const PAGES = [
  '{README,CONTRIBUTING,SECURITY}.md',
  '.github/**/*.md',
  'docs/*.md',
  'docs/guide/*.md',
  'docs/reference/*.md',
  'quality/**/README.md',
]
const DECISIONS = 'docs/decisions/*.md'
const SOURCES = '{lib,functions,localstack,infra,web}/**/*.{ts,tsx,mjs}'
const SPEAKING = '{lib,localstack,infra,web}/**/*.{ts,tsx,mjs}'
const TESTS = '{test,quality}/**/*.test.{ts,tsx}'
const SETTINGS = ['serverless.yml', '{infra,stages}/**/*.yml', 'proto/**/*.proto']

/** Texts of others, the text of a license, and a list of words. */
const FOREIGN =
  /lib\/users\/common-passwords|node_modules|proto\/(?:gen|google|grpc)\/|infra\/supply\/licence-text/

const filesOf = (...patterns: readonly string[]) =>
  globSync(patterns)
    .filter((file) => !FOREIGN.test(file))
    .toSorted()

interface Kind {
  readonly texts: () => readonly Text[]
  /** Whether it consists of phrases, not of sentences. */
  readonly isTerse: boolean
  /** The findings that are left over from before there was a check; their number may only fall. */
  readonly leftOver: number
}

/** Everything that people read, by kind. */
export const KINDS: Readonly<Record<string, Kind>> = {
  pages: {
    isTerse: false,
    leftOver: 0,
    texts: () => filesOf(...PAGES).map((file) => ({ file, text: () => read(file) })),
  },
  decisions: {
    isTerse: false,
    leftOver: 0,
    texts: () => filesOf(DECISIONS).map((file) => ({ file, text: () => read(file) })),
  },
  descriptions: {
    isTerse: true,
    leftOver: 0,
    texts: () =>
      ['docs/openapi.json', 'docs/asyncapi.json'].map((file) => ({ file, text: () => described(read(file)) })),
  },
  messages: {
    isTerse: true,
    leftOver: 0,
    texts: () => filesOf(SPEAKING).map((file) => ({ file, text: () => scanned(read(file), 'message') })),
  },
  comments: {
    isTerse: true,
    leftOver: 0,
    texts: () => [
      ...filesOf(SOURCES).map((file) => ({ file, text: () => scanned(read(file), 'comment') })),
      ...filesOf(...SETTINGS).map((file) => ({ file, text: () => commentLines(read(file)) })),
    ],
  },
  titles: {
    isTerse: true,
    leftOver: 0,
    texts: () => filesOf(TESTS).map((file) => ({ file, text: () => titled(read(file)) })),
  },
}

/** The lines of a JSON document, two spaces deep or more, that hold a description or a summary. */
function described(json: string): string {
  return json
    .split('\n')
    .map((line) => /^\s*"(?:description|summary|title)": (".*"),?$/.exec(line)?.[1])
    .map((value) => (value === undefined ? '' : (JSON.parse(value) as string)))
    .join('\n\n')
}

/**
 * A regular expression, a comment, a text in quotes, or a text between two elements of JSX, in this order. A quotation mark
 * in a regular expression begins no text.
 */
const TOKEN =
  /(?<=(?:[(,=:[!&|?]|return)\s*)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/[\\\n])+\/|(?<comment>\/\*[\s\S]*?\*\/|(?<![:'"`\w])\/\/[^\n]*)|(?<message>'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|\$\{[^{}`]*\}|[^`\\])*`|(?<=>)(?![^<]*\/\*)[^<>{}()=;]+(?=<))/g

/** Begins the text of a foreign license. */
const LICENSE = '/*!'

/** A source with its tokens of one kind, each on its own lines, and nothing else. */
export function scanned(source: string, kind: keyof typeof LINES_OF): string {
  const canvas = source.split('\n').map(() => '')
  for (const { groups, index } of source.matchAll(TOKEN)) {
    const token = groups?.[kind]
    if (token === undefined) continue
    const first = source.slice(0, index).split('\n').length - 1
    for (const [offset, line] of LINES_OF[kind](token).entries()) canvas[first + offset] += ` ${line}`
  }
  return canvas.map((line) => line.trim()).join('\n')
}

/** A text without its quotes and without values. */
const plain = (token: string) => token.replaceAll(/^['"`]|['"`]$/g, '').replaceAll(/\$\{[^}]*\}/g, 'X')

const LINES_OF = {
  comment: (token: string) =>
    (token.startsWith(LICENSE) ? '' : token)
      .replace(/\*\/$/, '')
      .split('\n')
      .map((line) =>
        line
          .replace(/^\s*(?:\/\*+|\*|\/\/)\s?/, '')
          .trim()
          .replace(/^@(?:param (?:\{[^}]*\} )?\w+|\w+)/, '-'),
      )
      .map((line) => (/^(?:biome-ignore|v8 ignore|Stryker)/.test(line) ? '' : line)),
  /** A text is a block by itself, and so is a row of a help text. One of less than four words is a name or a value. */
  message: (token: string) =>
    plain(token)
      .split('\n')
      .map((line, index) => {
        const text = line.trim()
        if (text.split(/\s+/).length < 4) return ''
        return index === 0 || /^ {2}\S/.test(line) ? `- ${text}` : text
      }),
}

/** The title of a test or of a group, or the text that a row of a table begins with; a row of one word is a value. */
const TITLE =
  /(?:\b(?:it|test|describe)\b[^\n'"`]{0,60}\(|\)\(|^[ \t]*\[(?=\s*.[^\s'"`]+ ))\s*(?<title>'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\\n])*`)/dgm

/** The titles in the source of a test, as items of a list, each on its own line. */
export function titled(source: string): string {
  const canvas = source.split('\n').map(() => '')
  for (const { groups, indices } of source.matchAll(TITLE)) {
    const line = source.slice(0, indices?.groups?.['title']?.[0]).split('\n').length - 1
    canvas[line] = `- ${plain(groups?.['title'] ?? '')}`
  }
  return canvas.join('\n')
}

const commentLines = (text: string) =>
  text
    .split('\n')
    .map((line) => /^\s*(?:#|\/\/)\s?(.*)$/.exec(line)?.[1] ?? '')
    .join('\n')
