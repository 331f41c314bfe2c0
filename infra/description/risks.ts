import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { parse } from 'yaml'
import { table, withParts } from './markdown.ts'

type Row = readonly string[]

/** A page with the rows of the YAML file beside it, and links to the files of each as its last cell. */
function page(name: string, head: Row, filesOf: (row: Row) => Row): string {
  const rows: readonly Row[] = parse(readFileSync(`docs/${name}.yml`, 'utf8'))
  const links = (row: Row) => filesOf(row).map((file) => `[${basename(file)}](../${file})`)
  const cells = rows.map((row) => [...row.slice(0, head.length - 1), links(row).join(', ')])
  return withParts(`docs/${name}.md`, { rows: () => table(head, cells) })
}

/** With the first tests whose titles begin with the id of a threat. @throws Error if there is none */
export function threatsPage(): string {
  const tests = globSync(['test/**/*.test.ts', 'quality/{bench,fuzz,nightly,simulate}/**/*.test.ts']).sort()
  const titles = tests.map((file) => `${readFileSync(file, 'utf8').match(/['"`](?:[A-Z]\d\d\b[ ,:]*(?:and )?)+/g)}`)
  return page('threats', ['id', 'hurts', 'attack or fault', 'what stops it', 'test'], ([id = '']) => {
    const found = tests.filter((_, index) => titles[index]?.includes(id))
    if (found.length === 0) throw new Error(`the title of no test begins with ${id}`)
    return found.slice(0, 2)
  })
}

export const asvsPage = (): string =>
  page('asvs', ['item', 'asks for', 'state', 'how', 'where'], (row) => `${row.at(-1)}`.split(' ').filter(Boolean))
