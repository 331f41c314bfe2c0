import { BROWSER, type Metafiles } from '../build.ts'
import { SERVED_PACKAGES } from '../served-files.ts'
import { bundledFolders } from './packages.ts'

/** The deployed parts, each with the folders of its packages: functions and container by their entry file. */
export type Parts = Readonly<Record<string, readonly string[]>>

export function deployedParts(metafiles: Metafiles): Parts {
  const parts = Object.fromEntries(
    Object.entries(metafiles).map(([name, metafile]) => [name, bundledFolders(metafile)] as const),
  )
  return { ...parts, [BROWSER]: [...(parts[BROWSER] ?? []), ...Object.values(SERVED_PACKAGES).flat()] }
}
