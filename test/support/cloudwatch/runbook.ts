import { readFileSync } from 'node:fs'

/** What the runbook has for one alarm. */
export interface Section {
  /** Of Logs Insights. */
  readonly queries: readonly string[]
  /** Of a shell, each a block. */
  readonly commands: readonly string[]
}

/** The section of docs/runbook.md with that title. @throws Error when there is none */
export function sectionOf(suffix: string): Section {
  const [, text] = readFileSync('docs/runbook.md', 'utf8').split(`\n## ${suffix}\n`)
  if (text === undefined) throw new Error(`the runbook has no section ${suffix}`)
  const [own = ''] = text.split('\n## ', 1)
  const all = [...own.matchAll(/^```([^\n]*)\n(.*?)^```$/gms)].map(([, language = '', block = '']) => ({
    language,
    block,
  }))
  const blocks = (wanted: string) => all.filter(({ language }) => language === wanted).map(({ block }) => block)
  return { queries: blocks(''), commands: blocks('sh (drilled)') }
}
