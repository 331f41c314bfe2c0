import { licenceText } from './licence-text.ts'
import { packageIn } from './packages.ts'

/** The file in each bundle with its third-party packages and their licenses. */
export const NOTICES = 'THIRD-PARTY-LICENCES.txt'

/** The text of that file for the packages in these folders; identical license texts occur once. */
export function noticesOf(folders: readonly string[]): string {
  const byText = Map.groupBy(folders, licenceText)
  const parts = [...byText].map(([text, packages]) => `${packages.map(titleOf).join('\n')}\n\n${text}\n`)
  return ['This software contains code of others, under their licenses.\n', ...parts].join(`\n${'='.repeat(80)}\n\n`)
}

/** The heading of a package's notice. */
export function titleOf(folder: string): string {
  const { name, version, licence } = packageIn(folder)
  return `${name} ${version} (${licence})`
}
