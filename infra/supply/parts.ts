import { BROWSER, type Metafiles } from '../build.ts'
import { SERVED_PACKAGES } from '../served-files.ts'
import { bundledFolders } from './packages.ts'

/** What is deployed, each with the folders of the packages that are in it: functions and container by the file they start with. */
export type Parts = Readonly<Record<string, readonly string[]>>

export function deployedParts(metafiles: Metafiles): Parts {
  const parts = Object.fromEntries(
    Object.entries(metafiles).map(([name, metafile]) => [name, bundledFolders(metafile)] as const),
  )
  return { ...parts, [BROWSER]: [...(parts[BROWSER] ?? []), ...Object.values(SERVED_PACKAGES).flat()] }
}
