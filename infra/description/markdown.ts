import { readFileSync } from 'node:fs'

const PART = /(<!-- generated: (\w+) -->\n).*?(\n<!-- \/generated -->)/gs

/**
 * A file's text with each generated part made anew, by the name in its marker.
 * @throws Error when the markers name other parts than there are
 */
export function withParts(file: string, parts: Readonly<Record<string, () => string>>): string {
  const text = readFileSync(file, 'utf8')
  const named = [...text.matchAll(PART)].map(([, , name]) => name)
  if (named.sort().join() !== Object.keys(parts).sort().join()) throw new Error(`${file} has the parts ${named}`)
  return text.replaceAll(PART, (_, begin, name, end) => `${begin}${parts[name]?.()}${end}`)
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n')
}

export const code = (text: string) => `\`${text}\``
