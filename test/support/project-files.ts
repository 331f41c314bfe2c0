import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Every file of the project, relative to its root, but what `.gitignore` names. */
export function projectFiles(root: string): readonly string[] {
  const ignored = ['.git', ...readFileSync(join(root, '.gitignore'), 'utf8').split('\n').filter(Boolean)]

  function isIgnored(name: string): boolean {
    return ignored.some((pattern) =>
      pattern.startsWith('*') ? name.endsWith(pattern.slice(1)) : name === pattern.replace('/', ''),
    )
  }

  function below(folder: string): readonly string[] {
    return readdirSync(join(root, folder), { withFileTypes: true })
      .filter(({ name }) => !isIgnored(name))
      .flatMap((entry) => {
        const path = join(folder, entry.name)
        return entry.isDirectory() ? below(path) : [path]
      })
  }

  return below('')
}
