import { BROWSER } from '../build.ts'
import { code, table, withParts } from '../description/markdown.ts'
import { FOLDERS_OF_THEIR_OWN, LOCKED, packageIn } from './packages.ts'
import type { Parts } from './parts.ts'
import { REASONS } from './reasons.ts'

const HEAD = ['package', 'version', 'licence'] as const
const REASON = 'what for, and why not our own'

/** The text of docs/dependencies.md with new tables. */
export function dependencies(parts: Parts): string {
  const places = placesOf(parts)
  const direct = Object.entries(REASONS)
    .map(([name, reason]) => ({ folder: folderNamed(name), reason }))
    .sort((a, b) => a.folder.localeCompare(b.folder, 'en'))
  return withParts('docs/dependencies.md', {
    deployed: () =>
      table(
        [...HEAD, 'in', REASON],
        direct.flatMap(({ folder, reason }) => {
          const place = places[folder]
          return place === undefined ? [] : [[...cellsOf(folder), place, reason]]
        }),
      ),
    tools: () =>
      table(
        [...HEAD, REASON],
        direct
          .filter(({ folder }) => places[folder] === undefined)
          .map(({ folder, reason }) => [...cellsOf(folder), reason]),
      ),
    everything: () =>
      table(
        [...HEAD, 'in'],
        Object.entries(places).map(([folder, place]) => [...cellsOf(folder), place]),
      ),
  })
}

/** The folder of an installed package that one of the package.json files names. */
function folderNamed(name: string): string {
  const folder = `node_modules/${name}`
  const folders = [folder, ...FOLDERS_OF_THEIR_OWN.map((own) => `${own}/${folder}`)]
  return folders.find((known) => Object.hasOwn(LOCKED, known)) ?? folder
}

function cellsOf(folder: string): readonly string[] {
  const { name, version, licence } = packageIn(folder)
  return [code(name), version, licence]
}

/** A description of where the package of each folder is deployed. */
function placesOf(parts: Parts): Readonly<Record<string, string>> {
  const found = Object.entries(parts).flatMap(([part, folders]) =>
    folders.map((folder) => [folder, placeOf(part)] as const),
  )
  const byFolder = [...Map.groupBy(found, ([folder]) => folder)].sort(([a], [b]) => a.localeCompare(b, 'en'))
  return Object.fromEntries(
    byFolder.map(([folder, of]) => [folder, [...new Set(of.map(([, place]) => place))].sort().join(', ')]),
  )
}

function placeOf(part: string): string {
  if (part === BROWSER) return 'browsers'
  return part.startsWith('functions/') ? 'functions' : 'container'
}
