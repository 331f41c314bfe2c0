import { globSync, readFileSync } from 'node:fs'
import type { Setting } from '../../lib/runtime/config.ts'
import { localSettings } from '../../localstack/settings.ts'
import { GIVEN, isFilledIn, SETTINGS } from '../settings.ts'
import { code, table, withParts } from './markdown.ts'

const SOURCES = ['lib/runtime/settings/*.ts', 'localstack/settings.ts']

/** The comment in front of a setting. */
interface Meaning {
  readonly text: string
  /** In Markdown, where the default is not a plain value or a local run fills it in. */
  readonly fallback?: string | undefined
}

/** The page of the settings. */
export function settingsPage(): string {
  return withParts('docs/settings.md', { settings })
}

function settings(): string {
  const meanings = meaningsIn(globSync(SOURCES).map((file) => readFileSync(file, 'utf8')))
  const rows = Object.entries<Setting<unknown>>({ ...GIVEN, ...localSettings })
    .filter(([name]) => !isFilledIn(name))
    .map(([name, setting]) => {
      const meaning = meanings.get(name)
      if (!meaning) throw new Error(`${name} has no comment that says what it means`)
      return [code(name), meaning.fallback ?? written(name, setting), meaning.text]
    })
  return `${table(['setting', 'default', 'meaning'], rows)}\n\nFilled in by the deployment or by \`npm start\`, whose demo a deployed stage refuses: ${SETTINGS.filter(isFilledIn).map(code).join(', ')}.`
}

/** The last comment in front of each name in capitals. */
function meaningsIn(texts: readonly string[]): ReadonlyMap<string, Meaning> {
  const comments = texts.flatMap((text) => [...text.matchAll(/\/\*\*((?:(?!\*\/).)*)\*\/\n {2}([A-Z][A-Z0-9_]+):/gs)])
  return new Map(
    comments.map(([, comment = '', name = '']) => {
      const [text = '', fallback] = comment
        .replaceAll(/\s+(?:\* )?/g, ' ')
        .trim()
        .split(' @default ')
      return [name, { text, fallback }]
    }),
  )
}

/** @throws Error for a default that needs a description of its own */
function written(name: string, setting: Setting<unknown>): string {
  const { fallback } = setting
  if (fallback === undefined && Object.hasOwn(setting, 'fallback')) return 'none'
  if (typeof fallback === 'number') return String(fallback)
  if (typeof fallback === 'string') return code(fallback)
  if (fallback instanceof URL) return code(fallback.href.replace(/\/$/, ''))
  if (Array.isArray(fallback)) return fallback.length === 0 ? 'none' : code(fallback.join(','))
  throw new Error(`the comment of ${name} needs a @default: the setting has none, or no plain one`)
}
