import { buildConsole } from '../../infra/console.ts'
import { candidates, ownFiles, PAGES } from './bundle.ts'
import { keepCurrent } from './keep-current.ts'

const currentConsole = keepCurrent(candidates, async () => {
  const { manifest, assets, metafile } = await buildConsole()
  const files = [...ownFiles(metafile), PAGES]
  const names = JSON.stringify(manifest)
  const texts = { CONSOLE_MANIFEST: names, ERROR_PAGE_MANIFEST: names, CONSOLE_ASSETS: JSON.stringify(assets) }
  return { value: { files, texts }, files }
})

/**
 * Builds the console for a bundle that reads it. The build inserts its texts; here they are globals of the same names,
 * so that a bundle stays the same when the console changes. The page of a failure, which every bundle has, takes
 * what the last page was given, so that no error in the console reaches the API.
 * @returns the files that the console was built from; none for a bundle that does not read it
 */
export async function provideConsole(code: string): Promise<readonly string[]> {
  if (!/\bCONSOLE_(?:MANIFEST|ASSETS)\b/.test(code)) return []
  const { files, texts } = await currentConsole()
  Object.assign(globalThis, texts)
  return files
}
