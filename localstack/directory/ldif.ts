import { Buffer } from 'node:buffer'

/** An entry of a directory; its attributes by name, in the first spelling. */
export interface Entry {
  readonly dn: string
  readonly attributes: Readonly<Record<string, readonly string[]>>
}

/**
 * Parses the entries of an LDIF text (RFC 2849); supports neither changes nor values from files.
 * @throws Error naming the unreadable line
 */
export function parseLdif(text: string): readonly Entry[] {
  const records = text.replaceAll('\r\n', '\n').split(/\n{2,}/)
  return records.map(linesOf).flatMap((lines) => {
    const [first, ...others] = lines.map(parseLine).filter(([name]) => name.toLowerCase() !== 'version')
    if (first === undefined) return []
    const [name, dn] = first
    if (name.toLowerCase() !== 'dn') throw new Error(`LDIF: an entry begins with ${name}`)
    return [{ dn, attributes: attributesOf(others) }]
  })
}

/** Drops comments and joins folded lines. */
function linesOf(record: string): readonly string[] {
  const lines = record.replaceAll('\n ', '').split('\n')
  return lines.filter((line) => line !== '' && !line.startsWith('#'))
}

function parseLine(line: string): readonly [name: string, value: string] {
  const [, name, encoding, value = ''] = /^([A-Za-z][\w.;-]*):(:?) *(.*)$/s.exec(line) ?? []
  if (name === undefined || (encoding === '' && value.startsWith('<'))) throw new Error(`LDIF: cannot read "${line}"`)
  return [name, encoding === ':' ? Buffer.from(value, 'base64').toString() : value]
}

function attributesOf(lines: readonly (readonly [name: string, value: string])[]): Entry['attributes'] {
  const byName = Map.groupBy(lines, ([name]) => name.toLowerCase())
  const entries = [...byName.values()].map((same) => [same[0]?.[0] ?? '', same.map(([, value]) => value)] as const)
  return Object.fromEntries(entries)
}

/** The LDIF text of entries; values are in base64 unless every reader accepts them verbatim (RFC 2849, SAFE-STRING). */
export function writeLdif(entries: readonly Entry[]): string {
  return entries
    .map(({ dn, attributes }) => [lineOf('dn', dn), ...Object.entries(attributes).flatMap(linesFor)].join('\n'))
    .join('\n\n')
    .concat('\n')
}

function linesFor([name, values]: readonly [string, readonly string[]]): readonly string[] {
  return values.map((value) => lineOf(name, value))
}

function lineOf(name: string, value: string): string {
  const isSafe = /^(?![ :<])[ -~]*(?<! )$/.test(value)
  return isSafe ? `${name}: ${value}` : `${name}:: ${Buffer.from(value).toString('base64')}`
}
