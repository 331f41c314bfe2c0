import { readFileSync } from 'node:fs'

const PART = /(<!-- generated: (\w+) -->\n).*?(\n<!-- \/generated -->)/gs

/**
 * The text of a file with each generated part replaced, by the name in its marker.
 * @throws Error when the names in the markers differ from those of the parts
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
