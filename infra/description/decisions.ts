import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { withParts } from './markdown.ts'

/** The list of the decision records, by their titles. */
export function decisions(): string {
  return withParts('docs/decisions/README.md', { decisions: titles })
}

function titles(): string {
  const lines = globSync('docs/decisions/[0-9]*.md')
    .sort()
    .map((file) => {
      const [, title] = /^# \d+\. (.*)$/m.exec(readFileSync(file, 'utf8')) ?? []
      return `- [${title}](${basename(file)})`
    })
  return lines.join('\n')
}
