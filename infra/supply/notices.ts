import { licenceText } from './licence-text.ts'
import { packageIn } from './packages.ts'

/** The file of each bundle that says whose code is in it, under which licences. */
export const NOTICES = 'THIRD-PARTY-LICENCES.txt'

/** The text of that file, for the packages in folders; what several have word for word stands there once. */
export function noticesOf(folders: readonly string[]): string {
  const byText = Map.groupBy(folders, licenceText)
  const parts = [...byText].map(([text, packages]) => `${packages.map(titleOf).join('\n')}\n\n${text}\n`)
  return ['Code of others is in here, under their licences.\n', ...parts].join(`\n${'='.repeat(80)}\n\n`)
}

/** A package as its notice is headed. */
export function titleOf(folder: string): string {
  const { name, version, licence } = packageIn(folder)
  return `${name} ${version} (${licence})`
}
